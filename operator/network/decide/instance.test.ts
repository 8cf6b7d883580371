import type { PersistentVolumeClaim, PodStatus } from '../../../core/kube/types.ts';
import { decideWithEngine } from '../engine.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { factsOf } from '../testing/facts.ts';
import { runningWorld, type World } from '../testing/world.ts';

const claimOf = ({ network }: World): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  spec: {},
  metadata: { name: `net-rpc-data-${engineIncarnationOf(network)}`, namespace: 'ws', uid: 'v-1' },
});

/** A persistent network that runs on its volume. */
function persistentWorld(): World {
  const world = runningWorld({}, { persistent: true });
  world.facts = { volumeClaims: [claimOf(world)] };
  world.settle();
  return world;
}

/** What 0.3 wrote: the id of a chain was that of its pods. */
function asBefore(world: World): void {
  const { instance: _, incarnation, ...status } = world.network.status ?? {};
  const { data: __, ...former } = incarnation ?? { number: 0, members: {}, revision: 0 };
  world.network = { ...world.network, status: { ...status, incarnation: former } };
}

function losePods(world: World): void {
  world.pods = [];
}

describe('the id of a chain', () => {
  it('lasts as long as its volume, whatever pods and processes run it', () => {
    const world = persistentWorld();
    const { enclaveID } = world.network.status ?? {};
    for (let pod = 0; pod < 3; pod++) {
      world.pods = [];
      world.settle();
      expect(world.network.status).toMatchObject({ state: 'Operational', enclaveID });
    }
    expect(world.network.status?.previousChain).toBeUndefined();
  });

  it('is another one after a ResetState, although the former one was kept over many pods', () => {
    const world = persistentWorld();
    world.pods = [];
    world.settle();
    const { enclaveID } = world.network.status ?? {};
    world.request('ResetState', 1);
    world.settle();
    const { status } = world.network;
    expect(status).toMatchObject({ state: 'Operational', previousChain: { enclaveID } });
    expect(status?.enclaveID).not.toBe(enclaveID);
  });

  it.each<[string, (world: World) => void]>([
    ['runs', () => undefined],
    ['gets another pod at that moment', losePods],
  ])('is kept by an upgrade from 0.3 while the network %s', (_case, meanwhile) => {
    const world = persistentWorld();
    const { enclaveID } = world.network.status ?? {};
    asBefore(world);
    meanwhile(world);
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', enclaveID });
    world.pods = [];
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', enclaveID });
  });

  it('is another one when a pod is lost with its data, also right after an upgrade', () => {
    const world = runningWorld();
    const { enclaveID } = world.network.status ?? {};
    asBefore(world);
    world.pods = [];
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', previousChain: { enclaveID } });
    expect(world.network.status?.enclaveID).not.toBe(enclaveID);
  });
});

describe('the process that is known to run a chain', () => {
  const at = '2030-01-02T03:00:00Z';
  const ready = (restartCount: number): PodStatus => ({
    phase: 'Running',
    podIP: '10.0.0.1',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ name: 'rpc', ready: true, restartCount, state: { running: { startedAt: at } } }],
  });
  let asked: string[];
  let answer: string | undefined;
  beforeEach(() => {
    [asked, answer] = [[], '0x01'];
  });

  async function look(world: World) {
    const facts = factsOf(world.network, { pods: world.pods, ...world.facts });
    const decision = await decideWithEngine(facts, {
      rpcOf: () => undefined,
      lastBlocks: { read: async () => undefined },
      readForkHead: async () => ({ block: 0 }),
      warm: undefined,
      readProcess: async (url) => {
        asked.push(url);
        return answer;
      },
    });
    world.network = { ...world.network, status: decision.status };
    return decision;
  }

  it('is asked once, at its own pod, and published with the state', async () => {
    const world = runningWorld();
    world.setStatus(ready(0));
    for (let turn = 0; turn < 3; turn++) await look(world);
    expect(asked).toEqual(['http://10.0.0.1:8545']);
    expect(world.network.status).toMatchObject({
      state: 'Operational',
      instance: { pod: world.pods[0]?.metadata.uid, restarts: 0, process: '0x01' },
    });
  });

  it('is unknown after a restart until the next one has answered, which is soon asked again', async () => {
    const world = persistentWorld();
    world.setStatus(ready(0));
    await look(world);
    const { enclaveID } = world.network.status ?? {};
    answer = undefined;
    world.setStatus(ready(1));
    expect((await look(world)).requeueAfterMs).toBeLessThanOrEqual(500);
    expect(world.network.status?.instance).toBeUndefined();
    answer = '0x02';
    await look(world);
    expect(world.network.status).toMatchObject({ enclaveID, instance: { restarts: 1, process: '0x02' } });
  });
});
