import { annotations } from '../../../core/api/names.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import type { PersistentVolumeClaim, PodStatus } from '../../../core/kube/types.ts';
import { runningWorld, type World } from '../testing/world.ts';

const crashed: PodStatus = {
  phase: 'Running',
  containerStatuses: [
    {
      name: 'rpc',
      ready: false,
      restartCount: 4,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1 } },
    },
  ],
};

/** A running network of which a transaction was just accepted. */
function busy(...args: Parameters<typeof runningWorld>): World {
  const world = runningWorld(...args);
  world.facts = { ...world.facts, lastUnsettledMs: world.nowMs };
  return world;
}

/** The decision after its status was written. */
function take(world: World) {
  const decision = world.decide();
  world.network = { ...world.network, status: decision.status };
  return decision;
}

/** How long it takes until a decision `isOver`, when each next one comes as soon as it asked for. */
function waitOf(world: World, isOver: (decision: ReturnType<World['decide']>) => boolean): number {
  const sinceMs = world.nowMs;
  for (let turn = 0; turn < 200; turn += 1) {
    const decision = take(world);
    if (isOver(decision)) return world.nowMs - sinceMs;
    world.nowMs += decision.requeueAfterMs ?? 0;
  }
  throw new Error('it never ends');
}

type Decision = ReturnType<World['decide']>;
const hasAsked = ({ restart }: Decision) => (restart?.pods.length ?? 0) > 0;
const hasReplaced = ({ replace }: Decision) => (replace?.length ?? 0) > 0;

describe('an engine that a Restart ends', () => {
  it('is asked to end once its last transactions are settled, and the status says so', () => {
    const world = busy();
    world.request('Restart', 1);
    const first = take(world);
    expect(hasAsked(first)).toBe(false);
    expect(first.status).toMatchObject({
      state: 'Pending',
      reason: 'Settling',
      observedMaintenanceNonce: 0,
      message: 'restarting the engine, once the outcome of the last transactions is recorded (10 s at most)',
    });
    expect(first.requeueAfterMs).toBeLessThanOrEqual(500);
    world.facts = {};
    const next = take(world);
    expect(hasAsked(next)).toBe(true);
    expect(next.status).toMatchObject({ state: 'Pending', message: 'restarting the engine' });
  });

  it('waits no longer than a judgement takes', () => {
    const world = busy();
    world.request('Restart', 1);
    const waitMs = waitOf(world, hasAsked);
    expect(waitMs).toBeGreaterThan(3_500);
    expect(waitMs).toBeLessThan(6_000);
  });

  it('has time for one look at what has been in the pool for long', () => {
    const world = busy();
    world.nowMs += 3_600_000;
    world.request('Restart', 1);
    expect(waitOf(world, hasAsked)).toBe(3_000);
  });

  it('is not held up by transactions that keep coming', () => {
    const world = busy();
    world.request('Restart', 1);
    const waitMs = waitOf(world, (decision) => {
      world.facts = { lastUnsettledMs: world.nowMs };
      return hasAsked(decision);
    });
    expect(waitMs).toBe(10_000);
  });

  it('does not wait again once it was asked', () => {
    const world = busy();
    world.request('Restart', 1);
    waitOf(world, hasAsked);
    world.facts = { lastUnsettledMs: world.nowMs };
    expect(take(world).status).toMatchObject({ message: 'restarting the engine' });
    expect(hasAsked(world.decide())).toBe(true);
  });

  it('waits as well if its pod could not be created again', () => {
    const world = busy();
    world.facts = { ...world.facts, hotKey: { kind: 'missing', message: 'secret "key" does not exist' } };
    world.request('Restart', 1);
    const first = take(world);
    expect(hasAsked(first)).toBe(false);
    expect(first.status).toMatchObject({ state: 'Pending', reason: 'Settling' });
    expect(waitOf(world, hasAsked)).toBeLessThan(6_000);
    world.nowMs += 5_000;
    expect(take(world).status).toMatchObject({
      state: 'Pending',
      reason: 'SecretMissing',
      message: expect.stringMatching(/^restarting the engine; cannot be reprovisioned/),
    });
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 1 });
  });

  it('and that has failed is replaced at once', () => {
    const world = busy();
    world.setStatus(crashed);
    take(world);
    world.request('Restart', 1);
    expect(hasReplaced(take(world))).toBe(true);
  });

  it('and that fails while it is waited for is replaced at once', () => {
    const world = busy();
    world.request('Restart', 1);
    take(world);
    world.setStatus(crashed);
    expect(hasReplaced(take(world))).toBe(true);
  });
});

test('a pod that a changed spec replaces is deleted once its last transactions are settled', () => {
  const world = busy();
  const { incarnation = { number: 0, members: {}, revision: 0 } } = world.network.status ?? {};
  const status = { ...world.network.status, incarnation: { ...incarnation, revision: 1 } };
  world.network = { ...world.network, status };
  const first = take(world);
  expect(hasReplaced(first)).toBe(false);
  expect(first.status).toMatchObject({ state: 'Pending', reason: 'Settling' });
  expect(waitOf(world, hasReplaced)).toBeLessThan(6_000);
});

test('a reset does not wait', () => {
  const world = busy();
  const [pod] = world.pods;
  world.request('ResetState', 1);
  const { children, status } = take(world);
  expect(children?.some(({ metadata }) => metadata.name === pod?.metadata.name)).toBe(false);
  expect(status.reason).not.toBe('Settling');
});

describe('a stop on request', () => {
  function asked(spec: { persistent?: boolean }, wake: object = {}): World {
    const world = busy({}, spec);
    const claims = (world.decide().children ?? []).filter(({ kind }) => kind === 'PersistentVolumeClaim');
    const volumeClaims = claims.map((claim) => asStored(claim as PersistentVolumeClaim));
    world.facts = { ...world.facts, volumeClaims };
    const { metadata } = world.network;
    const requested = { ...metadata.annotations, [annotations.stop]: 'now', ...wake };
    world.network = { ...world.network, metadata: { ...metadata, annotations: requested } };
    return world;
  }
  const hasTold = ({ children }: Decision) => children !== undefined;

  it('that keeps the data tells the pods once their last transactions are settled', () => {
    const world = asked({ persistent: true });
    const first = take(world);
    expect(first.children).toBeUndefined();
    expect(first.status).toMatchObject({
      state: 'Stopping',
      reason: 'StopRequested',
      message: expect.stringMatching(/^stopping on request, once the outcome of .*; its data is kept/),
    });
    expect(waitOf(world, hasTold)).toBeLessThan(6_000);
    expect(world.network.status?.message).toMatch(/^stopping on request; its data is kept/);
  });

  it.each([
    ['together with it', { [annotations.wake]: 'now' }, {}],
    ['while it waits', {}, { [annotations.wake]: 'later' }],
  ])('stops first when a wake comes %s, and wakes then', (_when, along, meanwhile) => {
    const world = asked({ persistent: true }, along);
    expect(take(world).status.state).toBe('Stopping');
    const { metadata } = world.network;
    world.network = {
      ...world.network,
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...meanwhile } },
    };
    const waiting = take(world);
    expect([waiting.children, waiting.status.state]).toEqual([undefined, 'Stopping']);
    world.facts = { ...world.facts, lastUnsettledMs: undefined };
    expect(hasTold(take(world))).toBe(true);
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', observedStop: 'now' });
  });

  it('goes on at once when they are', () => {
    const world = asked({ persistent: true });
    take(world);
    world.facts = { ...world.facts, lastUnsettledMs: undefined };
    expect(hasTold(take(world))).toBe(true);
  });

  it('that deletes the data does not wait', () => {
    expect(take(asked({})).children).toEqual([]);
  });

  it('does not wait in a network that is being deleted', () => {
    const world = asked({ persistent: true });
    take(world);
    const { metadata } = world.network;
    const deletionTimestamp = '2030-01-02T03:04:05Z';
    world.network = { ...world.network, metadata: { ...metadata, deletionTimestamp } };
    expect(take(world).children).toEqual([]);
  });
});
