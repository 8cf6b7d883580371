import { engineObjects } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { EngineSet } from '../../core/engines/engineSet.ts';
import { aSetOf, type ChangingEngines, changingEngines } from '../../core/engines/testing/engineSets.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { settle } from '../../core/kube/testing/settle.ts';
import { configMapType } from '../../core/kube/types.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { aNetwork } from '../network/testing/facts.ts';
import { createWantedBoard, type WantedBoard } from './board.ts';
import { createWantedController } from './controller.ts';

const serviceNamespace = 'slipway-system';
const ref = { namespace: serviceNamespace, name: engineObjects.wanted };
const atMs = Date.parse('2030-01-02T03:04:05Z');
const at = '2030-01-02T03:04:05Z';

describe('what networks wait for, as it is written', () => {
  let kube: FakeKube;
  let wanted: WantedBoard;
  let engines: ChangingEngines;
  let networks: Stored<NetworkResource>[];
  let stop: AbortController;
  let running: Promise<void>;

  async function lead(set: EngineSet = aSetOf({})): Promise<void> {
    stop = new AbortController();
    engines = changingEngines(set);
    wanted = createWantedBoard();
    const controller = createWantedController(
      {
        kube,
        wanted,
        engines,
        serviceNamespace,
        clock: createManualClock(),
        log: silentLog,
        caches: { networks: { list: () => networks } },
      },
      { workers: 4 },
    );
    running = controller.run(stop.signal);
    await settle();
  }
  async function resign(): Promise<void> {
    stop.abort();
    await running;
  }
  const written = async () => (await kube.get(configMapType, ref))?.data;
  const writes = () => kube.requests.filter(({ verb }) => verb !== 'get').length;
  const set = async (uid: string, names: Parameters<WantedBoard['set']>[1]) => {
    wanted.set(uid, names, atMs);
    await settle();
  };

  beforeEach(async () => {
    kube = createFakeKube();
    networks = [];
    await kube.create(configMapType, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: serviceNamespace, name: engineObjects.chart },
    });
    kube.requests.length = 0;
  });
  afterEach(resign);

  it('is nothing while no network waits: no object, and no write', async () => {
    await lead();
    await set('u-1', []);
    expect([await written(), writes()]).toEqual([undefined, 0]);
  });

  it('has an entry for each engine, and none for what is there', async () => {
    await lead();
    await set('u-1', ['geth', 'prysm']);
    expect(await written()).toEqual({ geth: at, prysm: at });
    await set('u-1', ['prysm']);
    expect(await written()).toEqual({ prysm: at });
    engines.become(aSetOf({ prysm: {} }));
    await settle();
    expect(await written()).toEqual({});
    expect(writes()).toBe(3);
  });

  it('goes with the object of the chart, so nothing is left after an uninstall', async () => {
    await lead();
    await set('u-1', ['geth']);
    const { metadata } = (await kube.get(configMapType, ref)) ?? {};
    expect(metadata?.ownerReferences).toMatchObject([{ kind: 'ConfigMap', name: engineObjects.chart }]);
  });

  it('is written again after somebody deleted it', async () => {
    await lead();
    await set('u-1', ['geth']);
    await kube.delete(configMapType, ref);
    await set('u-2', ['graph']);
    expect(await written()).toEqual({ geth: at, graph: at });
  });

  it('stays under a new leader until that has looked at all networks', async () => {
    networks = [aNetwork(), aNetwork({}, { metadata: { ...aNetwork().metadata, uid: 'u-2' } })];
    await lead();
    await set('u-1', ['geth']);
    await set('u-2', []);
    await resign();
    await lead();
    await set('u-2', []);
    expect(await written()).toEqual({ geth: at });
    await set('u-1', []);
    expect(await written()).toEqual({});
  });

  it('ignores entries of other versions, and removes them', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref };
    await kube.create(configMapType, { ...object, data: { future: at, geth: 'yesterday' } });
    await lead();
    expect(await written()).toEqual({});
  });
});
