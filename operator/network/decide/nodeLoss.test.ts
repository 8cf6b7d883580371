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
  const network = nextAt('04:02', starting, { pods, answers: { readiness: true } });
  expect(network.status).toMatchObject({ state: 'Operational', genesis: { at: at(genesis) } });
  return { network, pods };
}

const isOf = (part: string) => (pod: Pod) => pod.metadata.name.includes(`-${part}-`);
type Scene = ReturnType<typeof running>;

/** Deletes the pods of these parts, and creates them again. */
function replace(parts: string | string[], { network, pods }: Scene, time = '10:00'): Scene {
  const isReplaced = (pod: Pod) => [parts].flat().some((part) => isOf(part)(pod));
  const others = pods.filter((pod) => !isReplaced(pod));
  const waiting = nextAt(time, network, { pods: others });
  const created = podsOf(waiting, time).filter(isReplaced);
  expect(created).toHaveLength([parts].flat().length);
  const starting = created.map((pod) => ({ ...pod, status: { phase: 'Pending' as const } }));
  return { network: waiting, pods: [...others, ...starting] };
}

const readyPods = ({ pods }: Scene) => pods.map((pod) => ({ ...pod, status: readyStatus }));

describe('a network with one participant', () => {
  it.each(['el-1', 'cl-1'])('begins a new chain when the data of %s is gone, and says why', (part) => {
    const scene = running(1);
    const { enclaveID } = scene.network.status ?? {};
    const { network, pods } = replace(part, scene);
    const { status, children } = decideAt('10:01', network, { pods });
    expect(status).toMatchObject({
      state: 'Pending',
      enclaveID,
      incarnation: { number: 1 },
      message: expect.stringContaining('a new chain begins'),
      previousChain: {
        enclaveID,
        lastBlock: 7,
        reason: `the pod of ${part} was replaced, and no other one has its data`,
      },
    });
    expect(status.incarnation?.copies).toBeUndefined();
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

  it('begins a new chain when the data of a node is gone that never was Operational', () => {
    const network = begun({ participants: [{}] });
    const pods = podsOf(network, '03:52');
    const starting = nextAt('03:55', nextAt('03:53', network, { pods }), {
      pods,
      answers: { readiness: false },
    });
    expect(starting.status?.state).toBe('Pending');
    const scene = replace('el-1', { network: starting, pods }, '04:30');
    expect(decideAt('04:31', scene.network, scene).status).toMatchObject({ incarnation: { number: 1 } });
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

  it('has lost nothing when a pod is replaced that never served', () => {
    const network = begun({ participants: [{}] });
    const pods = podsOf(network, '03:52').map((pod) => ({ ...pod, status: { phase: 'Pending' as const } }));
    const scene = replace('el-1', { network: nextAt('03:53', network, { pods }), pods }, '04:30');
    const { status } = decideAt('04:31', scene.network, scene);
    expect(status).toMatchObject({ incarnation: { number: 0 } });
    expect(status.previousChain).toBeUndefined();
  });

  it('has lost nothing when it starts again after a stop, with another genesis', () => {
    const { network, pods } = running(1);
    const idle = { ...network, status: { ...network.status, lastWakeUpAt: '2029-12-30T03:00:00Z' } };
    const stopped = nextAt('10:00', idle, { pods });
    expect(stopped.status?.state).toBe('Stopping');
    expect(stopped.status?.incarnation?.copies).toBeUndefined();
  });

  it('waits for nobody when its pod starts without its data', () => {
    const { pods } = replace('cl-1', running(1));
    expect(argsOf('cl-1', pods)).not.toContain('--min-sync-peers=1');
  });
});

const argsOf = (part: string, pods: Pod[]) => pods.find(isOf(part))?.spec.containers[0]?.args;

describe('a network with two participants', () => {
  it('keeps its chain when a node is replaced, and waits until all have the same blocks', () => {
    const scene = replace('el-1', running(2));
    const { status, asks } = decideAt('10:01', scene.network, { pods: readyPods(scene) });
    expect(status).toMatchObject({
      state: 'Pending',
      incarnation: { number: 0 },
      message: expect.stringContaining('all nodes to have the same blocks'),
    });
    expect(status.previousChain).toBeUndefined();
    expect(status.enclaveID).toBe(scene.network.status?.enclaveID);
    expect(asks?.readiness?.peers).toEqual(['el-2']);
  });

  it.each([
    ['el-1 and el-2', ['el-1', 'el-2']],
    ['cl-1 and cl-2', ['cl-1', 'cl-2']],
    ['el-1, cl-1, el-2 and cl-2', ['el-1', 'cl-1', 'el-2', 'cl-2']],
  ])('begins a new chain when the data of %s is gone, and says why', (names, parts) => {
    const before = running(2);
    const scene = replace(parts, before);
    const { status, isChainGone } = decideAt('10:01', scene.network, scene);
    const { enclaveID } = before.network.status ?? {};
    expect(status).toMatchObject({
      incarnation: { number: 1 },
      previousChain: {
        enclaveID,
        lastBlock: 7,
        reason: `the pods of ${names} were replaced, and no other one has their data`,
      },
    });
    // Its engines would say the last block of another chain.
    expect(isChainGone).toBe(true);
  });

  it('begins a new chain when the second node is lost before the first one has the chain again', () => {
    const once = replace('el-1', running(2));
    const waiting = nextAt('10:30', once.network, { pods: readyPods(once), answers: { readiness: false } });
    const scene = replace('el-2', { network: waiting, pods: readyPods(once) }, '11:00');
    expect(decideAt('11:01', scene.network, scene).status).toMatchObject({ incarnation: { number: 1 } });
  });

  it('keeps its chain when its nodes are replaced one after the other', () => {
    const once = replace('el-1', running(2));
    const operational = nextAt('10:30', once.network, {
      pods: readyPods(once),
      answers: { readiness: true },
    });
    expect(operational.status?.state).toBe('Operational');
    const scene = replace('el-2', { network: operational, pods: readyPods(once) }, '11:00');
    const { status } = decideAt('11:01', scene.network, scene);
    expect(status).toMatchObject({ incarnation: { number: 0 } });
    expect(status.previousChain).toBeUndefined();
  });

  it('starts a consensus client that lost its data so that it waits for a peer, and no other one', () => {
    const before = running(2);
    expect(argsOf('cl-2', before.pods)).not.toContain('--min-sync-peers=1');
    const { pods } = replace('cl-2', before);
    expect(argsOf('cl-2', pods)?.at(-1)).toBe('--min-sync-peers=1');
  });
});

describe('on volumes', () => {
  const claimsOf = (network: Network, uidOf: (part: string) => string = (part) => part) =>
    ['el-1', 'cl-1', 'vc-1', 'el-2', 'cl-2', 'vc-2'].map((part): PersistentVolumeClaim => {
      const name = `net-${part}-data-${engineIncarnationOf(network)}`;
      const metadata = { name, namespace: 'ws', uid: uidOf(part) };
      return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: {} };
    });
  const persistent = (count: number) => {
    const scene = running(count, { persistent: true });
    const volumeClaims = claimsOf(scene.network);
    const network = nextAt('04:03', scene.network, { pods: scene.pods, volumeClaims });
    expect(network.status?.incarnation?.copies).toMatchObject({ 'el-1': 'el-1', 'cl-1': 'cl-1' });
    return { ...scene, network, volumeClaims };
  };

  it('a chain goes on when a pod is replaced', () => {
    const scene = persistent(1);
    const { network, pods } = replace('el-1', scene);
    const { status } = decideAt('10:01', network, { pods, volumeClaims: scene.volumeClaims });
    expect(status).toMatchObject({ incarnation: { number: 0 } });
    expect(status.previousChain).toBeUndefined();
  });

  it('a chain goes on when all pods are replaced, and none of them waits for another one', () => {
    const { network, volumeClaims } = persistent(2);
    const { children, status } = decideAt('10:01', network, { pods: [], volumeClaims });
    expect(status.previousChain).toBeUndefined();
    const pods = (children ?? []).filter((child): child is Pod => child.kind === 'Pod');
    expect(pods).toHaveLength(6);
    for (const part of ['cl-1', 'cl-2']) expect(argsOf(part, pods)).not.toContain('--min-sync-peers=1');
  });

  it.each<[number, string[], string]>([
    [1, ['cl-1'], 'its volume was replaced by another one'],
    [2, ['cl-1', 'cl-2'], 'the volumes of cl-1 and cl-2 were replaced by others'],
  ])(
    'the end of a chain of %i nodes is told when those of %j are others, once, and none is deleted',
    (count, parts, reason) => {
      const { network, pods } = replace(parts, persistent(count));
      const volumeClaims = claimsOf(network, (part) => (parts.includes(part) ? `other-${part}` : part));
      const { status, children } = decideAt('10:01', network, { pods, volumeClaims });
      const copies = Object.fromEntries(parts.map((part) => [part, `other-${part}`]));
      expect(status).toMatchObject({
        incarnation: { number: 0, losses: 1, copies: { 'el-1': 'el-1', ...copies } },
        previousChain: { lastBlock: 7, reason },
      });
      const kept = children?.filter(({ kind }) => kind === 'PersistentVolumeClaim') ?? [];
      const names = volumeClaims.slice(0, 3 * count).map(({ metadata }) => metadata.name);
      expect(kept.map(({ metadata }) => metadata.name)).toEqual(names);
      const { status: next } = decideAt('10:02', { ...network, status }, { pods, volumeClaims });
      expect(next.incarnation?.losses).toBe(1);
    },
  );

  it('nothing is told while a volume does not show yet', () => {
    const { network, pods } = replace('cl-1', persistent(1));
    const others = claimsOf(network).filter(({ metadata }) => !metadata.name.includes('cl-1'));
    const { status } = decideAt('10:01', network, { pods, volumeClaims: others });
    expect(status).toMatchObject({ enclaveID: network.status?.enclaveID, incarnation: { number: 0 } });
    expect(status.previousChain).toBeUndefined();
  });
});
