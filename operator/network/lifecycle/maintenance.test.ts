import { createWorld, processOf, type World } from '../testing/world.ts';

type Action = 'Restart' | 'ResetState' | 'Resync';
type Request = [action: Action, nonce: number];

const fork = { forking: { enabled: true, blockHeight: '5' } };

function running(chain: object = {}): World {
  const world = createWorld(chain);
  world.facts = { forkSource: 'http://source', answers: { forkHead: { block: 9 } } };
  world.settle();
  expect(world.network.status?.state).toBe('Operational');
  return world;
}

describe('a maintenance nonce that differs from the observed one takes effect, whichever were used before', () => {
  it.each<[string, Request[]]>([
    [
      'Restart again with the first nonce',
      [
        ['Restart', 1],
        ['Restart', 2],
        ['Restart', 1],
      ],
    ],
    [
      'ResetState again after a Restart',
      [
        ['ResetState', 1],
        ['Restart', 2],
        ['ResetState', 1],
      ],
    ],
    [
      'Restart again after a ResetState',
      [
        ['Restart', 1],
        ['ResetState', 2],
        ['Restart', 1],
      ],
    ],
    [
      'Resync again after a ResetState',
      [
        ['Resync', 1],
        ['ResetState', 2],
        ['Resync', 1],
      ],
    ],
    [
      'three resets with two nonces',
      [
        ['ResetState', 1],
        ['ResetState', 2],
        ['ResetState', 1],
      ],
    ],
    [
      'back to 0, which is the observed one at first',
      [
        ['ResetState', 3],
        ['ResetState', 0],
      ],
    ],
    [
      'a lower nonce',
      [
        ['Restart', 9],
        ['Restart', 4],
      ],
    ],
  ])('%s', (_reason, requests) => {
    const world = running(fork);
    for (const [action, nonce] of requests) {
      const { enclaveID } = world.network.status ?? {};
      const before = processOf(world);
      world.request(action, nonce);
      world.settle(() => {
        // The promise of the observed nonce: the action took effect.
        const isObserved = world.network.status?.observedMaintenanceNonce === nonce;
        if (isObserved) expect(processOf(world)).not.toBe(before);
      });
      const { status } = world.network;
      expect(status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: nonce });
      expect(status?.enclaveID === enclaveID).toBe(action === 'Restart');
    }
    expect(world.network.status?.maintenance).toEqual({ count: requests.length });
  });

  it('a request that was withdrawn before it took effect begins again when it comes back', () => {
    const world = running();
    world.isHung = true;
    world.request('Restart', 5);
    world.decide();
    world.network = { ...world.network, status: world.decide().status };
    expect(world.network.status?.maintenance).toMatchObject({ count: 1, action: 'Restart', nonce: 5 });
    world.request('Restart', 0);
    world.network = { ...world.network, status: world.decide().status };
    expect(world.network.status?.maintenance).toEqual({ count: 1 });
    world.request('Restart', 5);
    expect(world.decide().status.maintenance).toMatchObject({ count: 2, action: 'Restart', nonce: 5 });
  });
});
