import { annotations } from '../../../core/api/names.ts';
import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource, NetworkStatus } from '../../../core/api/resources/network.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { isImmutable } from '../../../core/kube/apply/childTypes.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { PersistentVolumeClaim, Pod } from '../../../core/kube/types.ts';
import { compact } from '../../../core/lib/compact.ts';
import { decide } from '../decide/decide.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { aNetwork, aPod, factsOf, nowMs, readyStatus } from '../testing/facts.ts';

const hourMs = 3_600_000;
const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A network that has been running for `hours`, with its pod. */
function running(hours: number, rest: Partial<NetworkResource['spec']> = {}, chain: object = {}) {
  const network = aNetwork({ chainID: '777', ...chain });
  network.spec = { ...network.spec, ...rest };
  const first = decide(factsOf(network, { pods: [aPod(network, readyStatus)] }));
  const status: NetworkStatus = { ...first.status, lastWakeUpAt: at(nowMs - hours * hourMs) };
  const known = { ...network, status };
  return { network: known, facts: factsOf(known, { pods: [aPod(known, readyStatus)] }) };
}

function withStatus(
  facts: NetworkFacts,
  status: NetworkStatus,
  others: Partial<NetworkFacts> = {},
): NetworkFacts {
  return { ...facts, ...others, network: { ...facts.network, status } };
}

describe('the idle stop', () => {
  it('does not stop a network until 24 h after its last wake-up, and checks again then', () => {
    const decision = decide(running(23).facts);
    expect(decision.status.state).toBe('Operational');
    expect(decision.requeueAfterMs).toBe(hourMs);
  });

  it('starts after 24 h: no children are desired and the state is Stopping', () => {
    const decision = decide(running(24).facts);
    expect(decision.status.state).toBe('Stopping');
    expect(decision.children).toEqual([]);
  });

  it('counts from the creation of a network that has never started', () => {
    const created = (hours: number) => {
      const network = aNetwork();
      network.metadata.creationTimestamp = at(nowMs - hours * hourMs);
      return decide(factsOf(network)).status.state;
    };
    expect([created(23), created(24)]).toEqual(['Pending', 'Stopping']);
  });

  it('ends as Stopped, with the time, once no pods are left', () => {
    const { facts } = running(24);
    const stopping = decide(facts);
    const still = decide(withStatus(facts, stopping.status));
    expect(still.status.state).toBe('Stopping');
    const stopped = decide(withStatus(facts, still.status, { pods: [] }));
    expect(stopped.status).toMatchObject({ state: 'Stopped', lastStoppedAt: at(nowMs) });
    expect(stopped.status.conditions).toMatchObject([{ type: 'Ready', status: 'False', reason: 'Idle' }]);
  });

  it('does not change the time at later reconciles', () => {
    const { facts } = running(30);
    const stopped = decide(withStatus(facts, decide(facts).status, { pods: [] }));
    const later = decide(withStatus(facts, stopped.status, { pods: [], nowMs: nowMs + hourMs }));
    expect(later.status).toEqual(stopped.status);
  });

  it('never happens to a persistent network', () => {
    expect(decide(running(1000, { persistent: true }).facts).status.state).toBe('Operational');
  });

  it('is delayed while too many others stop', () => {
    const decision = decide({ ...running(24).facts, isStopAllowed: false });
    expect(decision.status.state).toBe('Operational');
    expect(decision.requeueAfterMs).toBeLessThanOrEqual(61_000);
  });

  it('happens after the idle time of the installation', () => {
    const { facts } = running(1);
    const installation = { ...facts.installation, idle: { ...facts.installation.idle, afterSeconds: 1800 } };
    expect(decide({ ...facts, installation }).status.state).toBe('Stopping');
  });

  it('counts from the last use when the spec sets the time, to the minute in which it was recorded', () => {
    const { facts } = running(30, { idleAfter: '30m' });
    const used = (minutesAgo: number) =>
      decide(withStatus(facts, { ...facts.network.status, lastActivityAt: at(nowMs - minutesAgo * 60_000) }));
    expect(used(30)).toMatchObject({ status: { state: 'Operational' }, requeueAfterMs: 61_000 });
    expect(used(31).status).toMatchObject({
      state: 'Stopping',
      message: expect.stringMatching(/^stopping 30 min after its last use; /),
    });
  });

  it('happens at the limit of the installation when the spec sets a longer time, and the message says so', () => {
    const { facts } = running(1, { idleAfter: '48h' });
    const idle = { ...facts.installation.idle, maxAfterSeconds: 7200 };
    const limited = { ...facts, installation: { ...facts.installation, idle } };
    expect(decide(limited).status.message).toContain('spec.idleAfter: 48h is too long');
    expect(decide({ ...limited, nowMs: nowMs + hourMs }).status.state).toBe('Stopping');
  });

  it('reports the idle time in a readable form', () => {
    const { facts } = running(1);
    const installation = { ...facts.installation, idle: { ...facts.installation.idle, afterSeconds: 60 } };
    expect(decide({ ...facts, installation }).status.message).toBe(
      'stopping 60 s after its last wake-up; its data is deleted. Any request or spec change wakes it',
    );
  });
});

it('a network that becomes persistent while its data is in the pod says what that means', () => {
  const { facts } = running(1, { persistent: true });
  const [pod] = facts.pods;
  if (!pod) throw new Error('no pod');
  const within = (volume: object) => ({
    ...facts,
    pods: [{ ...pod, spec: { ...pod.spec, volumes: [{ name: 'data', ...volume }] } }],
  });
  expect(decide(within({ emptyDir: {} })).status.message).toMatch(/not on a volume yet.*ResetState/);
  const onVolume = decide(within({ persistentVolumeClaim: { claimName: 'x' } }));
  expect(onVolume.status.message).not.toMatch(/volume/);
});

describe('a network that stops being persistent', () => {
  const { network, facts } = running(48, { persistent: true });
  const incarnation = engineIncarnationOf(network);
  const volumeClaims = decide(facts)
    .children?.filter(({ kind }) => kind === 'PersistentVolumeClaim')
    .map((claim) => asStored(claim as PersistentVolumeClaim));
  const dropped = {
    ...facts,
    ...compact({ volumeClaims }),
    network: { ...network, spec: { ...network.spec, persistent: false } },
  };
  const volumesOf = ({ children = [] }: { children?: KubeObject[] | undefined }) =>
    children.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);

  it('keeps running on its volume, and stops as if it had been woken then', () => {
    const first = decide(dropped);
    expect(first.status).toMatchObject({ state: 'Operational', persistentUntil: at(nowMs) });
    expect(volumesOf(first)).toEqual([`net-rpc-data-${incarnation}`]);
    const later = (hours: number) =>
      decide(withStatus(dropped, first.status, { nowMs: nowMs + hours * hourMs }));
    expect([later(23).status.state, later(24).status.state]).toEqual(['Operational', 'Stopping']);
    expect(volumesOf(later(23))).toEqual(volumesOf(first));
    expect(later(24)).toMatchObject({ children: [], status: { persistentUntil: undefined } });
  });

  it('has the same volume and pod when it becomes persistent again', () => {
    const between = decide(dropped);
    const again = decide(withStatus({ ...facts, ...compact({ volumeClaims }) }, between.status));
    expect(again.status.persistentUntil).toBeUndefined();
    expect(again.children?.map(({ metadata }) => metadata.name)).toEqual(
      between.children?.map(({ metadata }) => metadata.name),
    );
  });

  it('mounts the volume in a pod that replaces a lost one', () => {
    const { children = [] } = decide(withStatus(dropped, decide(dropped).status, { pods: [] }));
    const pod = children.find(({ kind }) => kind === 'Pod') as Pod;
    expect(pod.spec.volumes).toContainEqual(
      expect.objectContaining({ persistentVolumeClaim: { claimName: `net-rpc-data-${incarnation}` } }),
    );
  });
});

describe('waking up', () => {
  const { facts } = running(24);
  const stopped = withStatus(facts, decide(withStatus(facts, decide(facts).status, { pods: [] })).status, {
    pods: [],
  });

  it('does not happen on its own', () => {
    expect(decide(stopped).children).toEqual([]);
  });

  const wakers: [string, Stored<NetworkResource>][] = [
    [
      'a wake annotation',
      {
        ...stopped.network,
        metadata: { ...stopped.network.metadata, annotations: { [annotations.wake]: 'now' } },
      },
    ],
    [
      'a change of the spec',
      { ...stopped.network, metadata: { ...stopped.network.metadata, generation: 2 } },
    ],
    ['becoming persistent', { ...stopped.network, spec: { ...stopped.network.spec, persistent: true } }],
  ];
  it.each(wakers)('follows %s: Pending, with the time', (_reason, network) => {
    const decision = decide({ ...stopped, network });
    expect(decision.status).toMatchObject({ state: 'Pending', lastWakeUpAt: at(nowMs) });
    expect(decision.children?.map(({ kind }) => kind)).toContain('Pod');
    expect(decision.status.lastStoppedAt).toBeDefined();
  });

  it('happens once per wake annotation', () => {
    const metadata = { ...stopped.network.metadata, annotations: { [annotations.wake]: 'once' } };
    const status = { ...stopped.network.status, observedWake: 'once' };
    expect(decide({ ...stopped, network: { ...stopped.network, metadata, status } }).children).toEqual([]);
  });
});

describe('maintenance', () => {
  const ask = (action: 'Restart' | 'ResetState' | 'Resync', nonce: number, chain: object = {}) => {
    const { network } = running(1, {}, chain);
    const asked: Stored<NetworkResource> = {
      ...network,
      spec: { ...network.spec, maintenanceRequest: { action, nonce } },
    };
    const fork = { forkSource: 'http://source', forkHead: { block: 9 } };
    return factsOf(asked, { pods: [aPod(network, readyStatus)], ...fork });
  };
  const podNameOf = (facts: NetworkFacts) =>
    decide(facts).children?.find(({ kind }) => kind === 'Pod')?.metadata.name;

  it('is not applied again for an observed nonce', () => {
    const facts = ask('ResetState', 7);
    const done = withStatus(facts, { ...facts.network.status, observedMaintenanceNonce: 7 });
    expect(decide(done).status.state).toBe('Operational');
    expect(podNameOf(done)).toBe(facts.pods[0]?.metadata.name);
  });

  it.each(['ResetState', 'Resync'] as const)(
    '%s starts a new incarnation and is observed once that is ready',
    (action) => {
      const facts = ask(action, 7, { forking: { enabled: true, blockHeight: '5' } });
      const begun = decide(facts);
      expect(podNameOf(facts)).not.toBe(facts.pods[0]?.metadata.name);
      expect(begun.status).toMatchObject({
        state: 'Pending',
        reset: { action, nonce: 7 },
        observedMaintenanceNonce: 0,
      });
      const known = withStatus(facts, begun.status);
      const ended = decide({ ...known, pods: [aPod(known.network, readyStatus)] });
      expect(ended.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 7 });
    },
  );

  it('ResetState forks at the block in the spec again, Resync at the latest block', () => {
    const argsOf = (facts: NetworkFacts) => {
      const pod = decide(facts).children?.find(({ kind }) => kind === 'Pod') as Pod | undefined;
      return pod?.spec.containers[0]?.args?.join(' ');
    };
    const chain = { forking: { enabled: true, blockHeight: '5' } };
    expect(argsOf(ask('ResetState', 7, chain))).toContain('--fork-block-number 5');
    expect(argsOf(ask('Resync', 7, chain))).toContain('--fork-block-number 9');
  });

  it('Resync of a network that is not a fork is refused with a message and observed', () => {
    const { status, children } = decide(ask('Resync', 7));
    expect(status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 7 });
    expect(status.message).toMatch(/Resync is for forked networks/);
    expect(children?.length).toBeGreaterThan(0);
    const facts = ask('Resync', 7);
    expect(decide(withStatus(facts, status)).status.message).toMatch(/Resync is for forked networks/);
  });

  it('Restart keeps the incarnation and is observed once the engine has restarted', () => {
    const facts = ask('Restart', 7);
    const [pod] = facts.pods as [Pod];
    const begun = decide(facts);
    expect(podNameOf(facts)).toBe(pod.metadata.name);
    expect(begun.restart).toMatchObject({ number: 1 });
    expect(begun.status).toMatchObject({ state: 'Pending', observedMaintenanceNonce: 0 });
    const ended = { exitCode: 0, finishedAt: '2030-01-02T03:04:05Z' };
    const after: Pod = {
      ...pod,
      status: {
        ...readyStatus,
        ephemeralContainerStatuses: [
          { name: 'restart-1', ready: false, restartCount: 0, state: { terminated: ended } },
        ],
        containerStatuses: [
          {
            name: 'rpc',
            ready: true,
            restartCount: 1,
            state: { running: { startedAt: '2030-01-02T03:04:06Z' } },
          },
        ],
      },
    };
    const done = decide({ ...withStatus(facts, begun.status), pods: [after] });
    expect(done.restart).toBeUndefined();
    expect(done.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 7 });
    expect(done.status.enclaveID).toBe(facts.network.status?.enclaveID);
  });

  it('applies to the incarnation that an earlier reset started', () => {
    const facts = ask('Restart', 8);
    const reset = { action: 'ResetState', nonce: 7 } as const;
    const known = withStatus(facts, { ...facts.network.status, reset, observedMaintenanceNonce: 7 });
    expect(podNameOf(known)).toContain(engineIncarnationOf(known.network));
    expect(decide(known).status.reset).toEqual(reset);
  });
});

describe('persistence', () => {
  const find = (network: Stored<NetworkResource>, kind: string) =>
    decide(factsOf(network)).children?.find((child) => child.kind === kind);
  const dataVolumeOf = (network: Stored<NetworkResource>) =>
    (find(network, 'Pod') as Pod).spec.volumes?.find(({ name }) => name === 'data');

  it('keeps the data of a persistent network on a volume of its incarnation', () => {
    const network = aNetwork();
    network.spec.persistent = true;
    const claim = find(network, 'PersistentVolumeClaim');
    expect(claim?.metadata.name).toContain(engineIncarnationOf(network));
    expect(dataVolumeOf(network)).toEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: claim?.metadata.name },
    });
  });

  it('does not change a running pod when its network becomes persistent', () => {
    const network = aNetwork();
    const before = find(network, 'Pod');
    network.spec.persistent = true;
    const after = find(network, 'Pod') as KubeObject;
    // The same name and an immutable object, so the pod is not changed.
    expect(after.metadata.name).toBe(before?.metadata.name);
    expect(isImmutable(after)).toBe(true);
  });

  it('keeps the data of other networks in the pod', () => {
    expect(find(aNetwork(), 'PersistentVolumeClaim')).toBeUndefined();
    expect(dataVolumeOf(aNetwork())).toEqual({ name: 'data', emptyDir: {} });
  });
});
