import type { PodStatus } from '../../../core/kube/types.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { createWorld, processOf, runningWorld, type World } from '../testing/world.ts';

const at = '2030-01-02T03:04:05Z';
const starting: PodStatus = {
  phase: 'Running',
  containerStatuses: [{ name: 'rpc', ready: false, restartCount: 0, state: { running: { startedAt: at } } }],
};
const crashed: PodStatus = {
  phase: 'Running',
  containerStatuses: [
    {
      name: 'rpc',
      ready: false,
      restartCount: 4,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1, message: 'error: bad state', startedAt: at, finishedAt: at } },
    },
  ],
};
const unpulled: PodStatus = {
  phase: 'Pending',
  containerStatuses: [
    { name: 'rpc', ready: false, restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff' } } },
  ],
};
const unscheduled: PodStatus = {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', message: 'Insufficient cpu' }],
};
const missing = { kind: 'missing', message: 'secret "key" does not exist' } as const;

/** A running network whose pod gets this status. */
const withPod = (status: PodStatus) => () => {
  const world = runningWorld();
  world.setStatus(status);
  world.network = { ...world.network, status: world.decide().status };
  return world;
};

function idle(state: 'Stopping' | 'Stopped'): World {
  const world = runningWorld();
  world.network = {
    ...world.network,
    status: { ...world.network.status, lastWakeUpAt: '2029-12-30T00:00:00Z' },
  };
  if (state === 'Stopped') world.settle();
  else {
    world.network = { ...world.network, status: world.decide().status };
    const deletionTimestamp = at;
    world.pods = world.pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp } }));
  }
  expect(world.network.status?.state).toBe(state);
  return world;
}

function blocked(facts: Partial<NetworkFacts>): World {
  const world = createWorld();
  world.facts = facts;
  world.network = { ...world.network, status: world.decide().status };
  expect(world.network.status?.state).toBe('Error');
  return world;
}

describe('Restart from any state', () => {
  it.each<[string, () => World, 'same pod' | 'new pod']>([
    ['Operational', () => runningWorld(), 'same pod'],
    [
      'Operational, with an engine that hangs',
      () => Object.assign(runningWorld(), { isHung: true }),
      'new pod',
    ],
    ['Pending, with an engine that never becomes ready', withPod(starting), 'new pod'],
    ['Pending, with a pod that cannot be scheduled', withPod(unscheduled), 'new pod'],
    ['Error, with an engine that crashes', withPod(crashed), 'new pod'],
    ['Error, with an image that cannot be pulled', withPod(unpulled), 'new pod'],
    ['Stopping', () => idle('Stopping'), 'new pod'],
    ['Stopped', () => idle('Stopped'), 'new pod'],
    [
      'while another restart waits for an engine that hangs',
      () => {
        const world = Object.assign(runningWorld(), { isHung: true });
        world.request('Restart', 99);
        world.network = { ...world.network, status: world.decide().status };
        return world;
      },
      'new pod',
    ],
  ])('%s', (_state, begin, pod) => {
    const world = begin();
    const uid = world.pods[0]?.metadata.uid;
    const before = processOf(world);
    world.request('Restart', 1);
    world.settle(() => {
      if (world.network.status?.observedMaintenanceNonce === 1) expect(processOf(world)).not.toBe(before);
    });
    expect(world.network.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 1 });
    expect(processOf(world)).not.toBe(before);
    expect(world.pods[0]?.metadata.uid === uid).toBe(pod === 'same pod');
  });

  it('Error because of a missing secret: it takes effect once the engine can start', () => {
    const world = blocked({ hotKey: missing });
    world.request('Restart', 1);
    world.network = { ...world.network, status: world.decide().status };
    expect(world.network.status).toMatchObject({ state: 'Error', observedMaintenanceNonce: 0 });
    world.facts = {};
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 1 });
  });

  it('Operational, with a secret that was deleted since: the process restarts in its pod', () => {
    const world = runningWorld();
    world.facts = { hotKey: missing };
    const before = processOf(world);
    world.request('Restart', 1);
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 1 });
    expect(processOf(world)).not.toBe(before);
  });

  it('a pod that was asked and is started again with a pause is not replaced, because it has its data', () => {
    const world = runningWorld();
    const [pod] = world.pods;
    world.request('Restart', 1);
    const askedAt = '2030-01-02T03:05:00Z';
    const ended = { exitCode: 143, startedAt: at, finishedAt: askedAt };
    const asked = { terminated: { exitCode: 0, finishedAt: askedAt } };
    world.network = { ...world.network, status: world.decide().status };
    world.setStatus({
      ...crashed,
      containerStatuses: [
        {
          name: 'rpc',
          ready: false,
          restartCount: 1,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: ended },
        },
      ],
      ephemeralContainerStatuses: [{ name: 'restart-1', ready: false, restartCount: 0, state: asked }],
    });
    world.nowMs += 240_000;
    expect(world.decide().replace).toEqual([]);
    expect(world.pods[0]?.metadata.uid).toBe(pod?.metadata.uid);
  });

  it('an engine that fails while it ends has not saved its chain: a new pod and the status say so', () => {
    const world = runningWorld();
    const [pod] = world.pods;
    const { enclaveID } = world.network.status ?? {};
    world.request('Restart', 1);
    world.network = { ...world.network, status: world.decide().status };
    const askedAt = '2030-01-02T03:05:00Z';
    const asked = { terminated: { exitCode: 0, finishedAt: askedAt } };
    const killed = { exitCode: 137, reason: 'OOMKilled', startedAt: at, finishedAt: askedAt };
    world.setStatus({
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          name: 'rpc',
          ready: true,
          restartCount: 1,
          lastState: { terminated: killed },
          state: { running: { startedAt: '2030-01-02T03:05:02Z' } },
        },
      ],
      ephemeralContainerStatuses: [{ name: 'restart-1', ready: false, restartCount: 0, state: asked }],
    });
    world.settle();
    const { status } = world.network;
    expect(world.pods[0]?.metadata.uid).not.toBe(pod?.metadata.uid);
    expect(status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 1 });
    expect(status?.enclaveID).not.toBe(enclaveID);
    expect(status?.previousChain).toMatchObject({ enclaveID, reason: 'Restart replaced its pod' });
  });

  it('says that the chain is gone with a pod that had to be replaced, and at which block', () => {
    const world = Object.assign(runningWorld(), { isHung: true });
    const { enclaveID } = world.network.status ?? {};
    world.facts = { lastBlock: 41 };
    world.request('Restart', 1);
    world.settle();
    expect(world.network.status?.previousChain).toMatchObject({ enclaveID, lastBlock: 41 });
    expect(world.network.status?.message).toContain('ended at block 41');
  });
});
