import { createWorld } from '../../testing/world.ts';

describe('children that the cluster refuses', () => {
  const right =
    'pods is forbidden: User "system:serviceaccount:slipway:operator" cannot create resource "pods"';
  it.each<[string, string, number, string, RegExp]>([
    [
      'no right in the namespace',
      right,
      0,
      'Error',
      /^namespace "ws" belongs to no workspace.*create it in the namespace of a workspace/,
    ],
    ['a quota', 'exceeded quota: slipway, used: pods=5', 0, 'Error', /exceeded quota: slipway/],
    ['a workspace that is new, as the network is', right, -240_000, 'Pending', /belongs to no workspace/],
  ])('%s', (_reason, refusedRights, offsetMs, state, message) => {
    const world = createWorld();
    world.nowMs += offsetMs;
    world.facts = { refusedRights };
    const decision = world.decide();
    expect(decision.status).toMatchObject({ state, message: expect.stringMatching(message) });
    // They are tried again.
    expect(decision.children?.length).toBeGreaterThan(0);
  });
});
