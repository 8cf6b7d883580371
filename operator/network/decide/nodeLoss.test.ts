import type { NetworkSpec } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { PersistentVolumeClaim, Pod } from '../../../core/kube/types.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { readyStatus } from '../testing/facts.ts';
import { begun, facts } from '../testing/participants.ts';
import { decide } from './decide.ts';
import type { NetworkFacts } from './facts.ts';

const at = (time: string) => `2030-01-02T03:${time}Z`;
/** Of the chain in these tests. */
const genesis = '04:00';

type Network = ReturnType<typeof begun>;
type Observed = Partial<NetworkFacts> & { pods: Pod[] };

const decideAt = (time: string, network: Network, observed: Observed) =>
  decide(facts(network, { lastBlock: 7, ...observed, nowMs: Date.parse(at(time)) }));

function nextAt(time: string, network: Network, observed: Observed): Network {
  return { ...network, status: decideAt(time, network, observed).status };
}

/** The pods of a network as the operator creates them, by then ready. */
function podsOf(network: Network, time: string): Pod[] {
  const children = decideAt(time, network, { pods: [] }).children ?? [];
  return children
    .filter((child): child is Stored<Pod> => child.kind === 'Pod')
    .map((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, uid: `${pod.metadata.name} ${time}`, creationTimestamp: at(time) },
      status: readyStatus,
    }));
}

/** A network that is Operational, with its pods. */
function running(count: number, spec: Partial<NetworkSpec> = {}) {
  const first = begun({ participants: [{ count }] });
  const wanted = { ...first, spec: { ...first.spec, ...spec } };
  const pods = podsOf(wanted, '03:52');
  const starting = nextAt('03:53', wanted, { pods });
  const network = nextAt('04:02', starting, { pods, hasAnswered: true });
  expect(network.status).toMatchObject({ state: 'Operational', genesis: { at: at(genesis) } });
  return { network, pods };
}

const isOf = (part: string) => (pod: Pod) => pod.metadata.name.includes(`-${part}-`);

/** Deletes the pod of a part, and creates it again. */
function replace(part: string, { network, pods }: ReturnType<typeof running>) {
  const others = pods.filter((pod) => !isOf(part)(pod));
  const waiting = nextAt('10:00', network, { pods: others });
  const [pod] = podsOf(waiting, '10:00').filter(isOf(part));
  if (!pod) throw new Error(`no pod for ${part}`);
  return { network: waiting, pods: [...others, { ...pod, status: { phase: 'Pending' as const } }] };
}

describe('a network with one participant', () => {
  it.each(['el-1', 'cl-1'])('begins a new chain when the data of %s is gone, and says why', (part) => {
    const scene = running(1);
    const { enclaveID } = scene.network.status ?? {};
    const { network, pods } = replace(part, scene);
    const { status, children } = decideAt('10:01', network, { pods });
    expect(status).toMatchObject({
      ...{ state: 'Pending', enclaveID, incarnation: { number: 1 } },
      message: expect.stringContaining('a new chain begins'),
      previousChain: {
        ...{ enclaveID, lastBlock: 7 },
        reason: `the pod of ${part} was replaced, and no other one has its data`,
      },
    });
    expect(children).toBeUndefined();
  });

  it('gets another genesis for it, without the pods of the former one', () => {
    const { network, pods } = replace('el-1', running(1));
    const next = nextAt('10:01', network, { pods });
    const { children } = decideAt('10:02', next, { pods });
    expect(children?.map(({ metadata }) => metadata.name)).toEqual([
      `net-prepare-${engineIncarnationOf(next)}`,
    ]);
    expect(engineIncarnationOf(next)).not.toBe(engineIncarnationOf(network));
  });

  it('keeps its chain when its validator client is replaced', () => {
    const { network, pods } = replace('vc-1', running(1));
    const { status } = decideAt('10:01', network, { pods });
    expect(status).toMatchObject({ enclaveID: network.status?.enclaveID, incarnation: { number: 0 } });
    expect(status.previousChain).toBeUndefined();
  });

  it('has lost nothing while a pod is missing: the cache may be stale', () => {
    const { network, pods } = running(1);
    const { status } = decideAt('10:01', network, { pods: pods.filter(isOf('cl-1')) });
    expect(status).toMatchObject({ enclaveID: network.status?.enclaveID, incarnation: { number: 0 } });
  });

  it.each([
    ['while it starts for the first time', '03:40'],
    ['when it starts again after a stop, with another genesis', '03:50'],
  ])('has lost nothing %s', (_when, since) => {
    const { network } = running(1);
    const [ready, ...others] = network.status?.conditions ?? [];
    if (!ready) throw new Error('no condition');
    const conditions = [{ ...ready, status: 'False' as const, lastTransitionTime: at(since) }, ...others];
    const starting: Network = { ...network, status: { ...network.status, state: 'Pending', conditions } };
    const { status } = decideAt('04:01', starting, { pods: podsOf(starting, '03:52') });
    expect(status).toMatchObject({ incarnation: { number: 0 } });
    expect(status.previousChain).toBeUndefined();
  });

  describe('on volumes', () => {
    const claimsOf = (network: Network, ...uids: string[]) =>
      ['el-1', 'cl-1', 'vc-1'].map((part, index): PersistentVolumeClaim => {
        const name = `net-${part}-data-${engineIncarnationOf(network)}`;
        const metadata = { name, namespace: 'ws', uid: uids[index] ?? part };
        return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: {} };
      });
    const persistent = () => {
      const scene = running(1, { persistent: true });
      const volumeClaims = claimsOf(scene.network);
      const network = nextAt('04:03', scene.network, { pods: scene.pods, volumeClaims });
      expect(network.status?.incarnation?.volume).toBe('el-1 cl-1');
      return { ...scene, network, volumeClaims };
    };

    it('keeps its chain when a pod is replaced', () => {
      const scene = persistent();
      const { network, pods } = replace('el-1', scene);
      const { status } = decideAt('10:01', network, { pods, volumeClaims: scene.volumeClaims });
      expect(status).toMatchObject({ incarnation: { number: 0 } });
      expect(status.previousChain).toBeUndefined();
    });

    it('says that its chain has ended when one is another, and deletes none of them', () => {
      const scene = persistent();
      const { network, pods } = replace('cl-1', scene);
      const volumeClaims = claimsOf(network, 'el-1', 'other');
      const { status, children } = decideAt('10:01', network, { pods, volumeClaims });
      expect(status).toMatchObject({
        incarnation: { number: 0, volume: 'el-1 other', losses: 1 },
        previousChain: { lastBlock: 7, reason: 'its volume was replaced by another one' },
      });
      const kept = children?.filter(({ kind }) => kind === 'PersistentVolumeClaim');
      expect(kept?.map(({ metadata }) => metadata.name)).toEqual(
        volumeClaims.map(({ metadata }) => metadata.name),
      );
    });
  });
});

it('a network with two participants keeps its chain when a node is replaced, and waits for its blocks', () => {
  const { network, pods } = replace('el-1', running(2));
  const ready = pods.map((pod) => ({ ...pod, status: readyStatus }));
  const { status, peers } = decideAt('10:01', network, { pods: ready });
  expect(status).toMatchObject({
    ...{ state: 'Pending', incarnation: { number: 0 } },
    message: expect.stringContaining('all blocks of its peers'),
  });
  expect(status.previousChain).toBeUndefined();
  expect(status.enclaveID).not.toBe(network.status?.enclaveID);
  expect(peers).toEqual(['el-2']);
});
