import { idOf, withNewId } from '../../core/api/ids.ts';
import { annotations, apiVersion, labels } from '../../core/api/names.ts';
import {
  controllerReferenceTo,
  ownerReferenceTo,
  resourceType,
  type Stored,
} from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { type KeyEpochsResource, keyEpochsName } from '../../core/api/resources/records/keyEpochs.ts';
import { journalType, keyEpochsType, networkType, userType } from '../../core/api/resources/resources.ts';
import { aUser } from '../../core/api/testing/accountBuilders.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { coreSecretType, namespaceType, persistentVolumeClaimType } from '../../core/kube/types.ts';
import { rotatedAccessKeys } from '../../core/networks/accessEpochs.ts';
import { engineIncarnationOf } from '../../operator/network/render/childNames.ts';
import { type Backup, collect } from './collect.ts';
import { restore } from './restore.ts';
import { install } from './testing/installation.ts';
import { home, ran, system } from './testing/world.ts';

/** What a restore does to what it finds. restore.int.test.ts shows what it leaves on real clusters. */

const newCluster = () => createFakeKube({ isCollectingGarbage: true, requiresNamespaces: true });
let lines: string[];
const say = (line: string) => void lines.push(line);
const save = (kube: Kube) => collect(system, { kube, say, signal: new AbortController().signal, taken: [] });
const bringBack = (backup: Backup, takesOver = false) => restore({ kube: target, backup, takesOver });
const namesIn = async (kube: Kube) =>
  (await kube.list(networkType)).items.map(({ metadata }) => metadata.name);

let source: FakeKube;
let target: FakeKube;
let network: Stored<NetworkResource>;
beforeEach(async () => {
  lines = [];
  [source, target] = [await install(newCluster()), newCluster()];
  network = await source.create(networkType, withNewId(aNetwork({ name: 'net', namespace: home })));
  const metadata = { name: 'j', namespace: home, ownerReferences: [ownerReferenceTo(network)] };
  await source.create(journalType, { apiVersion, kind: 'Journal', metadata, spec: { scope: 'net' } });
});

/** What another tool has restored, or an installation has made that was uninstalled. */
async function place(...networks: NetworkResource[]): Promise<void> {
  for (const name of [system, home]) {
    await target.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  for (const one of networks) await target.create(networkType, one);
}

const ending = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['ends/soon'] };

it('what is being deleted is left out, with all that belongs to it, and the backup says so', async () => {
  const gone = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gone', ...ending } };
  source.seed(namespaceType, {
    ...gone,
    metadata: { ...gone.metadata, labels: { 'slipway.dev/workspace': 'w' } },
  });
  source.seed(networkType, aNetwork({ name: 'inside', namespace: 'gone' }));
  await source.create(networkType, aNetwork({ name: 'stays', namespace: home }));
  source.seed(networkType, { ...network, metadata: { ...network.metadata, ...ending } });
  await bringBack(await save(source));
  const left = lines.filter((line) => line.startsWith('not in the backup'));
  expect(left.map((line) => line.split(': ')[1]).sort()).toEqual([
    `Journal ${home}/j`,
    'Namespace gone',
    'Network gone/inside',
    `Network ${home}/net`,
  ]);
  expect(await namesIn(target)).toEqual(['stays']);
  expect((await target.list(journalType)).items).toEqual([]);
});

it('the Secrets of the service are in it, but for certificates and releases, which the chart makes', async () => {
  const own = ['slipway-keys', 'client-secret'];
  for (const [name, type] of [
    ['client-secret', 'Opaque'],
    ['slipway-webhook-tls', 'kubernetes.io/tls'],
    ['sh.helm.release.v1.slipway.v1', 'helm.sh/release.v1'],
  ] as const) {
    const metadata = { name, namespace: system };
    await source.create(coreSecretType, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type,
      data: { a: 'eA==' },
    });
  }
  await bringBack(await save(source));
  const dataIn = async (kube: Kube) =>
    new Map((await kube.list(coreSecretType)).items.map(({ metadata, data }) => [metadata.name, data]));
  const before = await dataIn(source);
  expect(await dataIn(target)).toEqual(new Map(own.map((name) => [name, before.get(name)])));
});

it('what is there is left alone, and becomes that of the backup where that is asked for', async () => {
  const chunkType = resourceType(apiVersion, 'AuditChunk');
  const chunk = (name: string, entries: number) => {
    const metadata = { name, namespace: home };
    return { apiVersion, kind: 'AuditChunk', metadata, spec: { entries } };
  };
  await source.create(userType, aUser({ name: 'admin', spec: { name: 'former' } }));
  await source.create(chunkType, chunk('audit-1', 7));
  await place(aNetwork({ name: 'another', namespace: home }));
  const own = await target.create(userType, aUser({ name: 'admin', spec: { name: 'new' } }));
  await target.create(userType, aUser({ name: 'stranger', spec: { name: 'new' } }));
  for (const name of ['audit-1', 'audit-2']) await target.create(chunkType, chunk(name, 1));
  const backup = await save(source);
  await expect(bringBack(backup)).rejects.toThrow(/^This cluster is in use: .*\n.*\n.*TAKE_OVER=yes/);
  expect(await namesIn(target)).toEqual(['another']);
  await bringBack(backup, true);
  const { uid } = own.metadata;
  expect((await target.list(userType)).items).toMatchObject([
    { metadata: { uid }, spec: { name: 'former' } },
  ]);
  expect((await target.list(chunkType)).items).toMatchObject([{ spec: { entries: 7 } }]);
  expect(await namesIn(target)).toEqual(['another', 'net']);
});

it('an object with another id is not taken over, and one without an id is', async () => {
  const net = aNetwork({ name: 'net', namespace: home });
  await place(withNewId(net));
  const backup = await save(source);
  const other = (await target.get(networkType, net.metadata))?.metadata.labels?.[labels.id];
  const own = network.metadata.labels?.[labels.id];
  await expect(bringBack(backup, true)).rejects.toThrow(
    `Network ${home}/net has the id ${other}, and ${own} in the backup, so it is another object. Nothing was changed. ` +
      `If it is not needed, delete it, and restore again: kubectl -n ${home} delete networks.slipway.dev net`,
  );
  await target.delete(networkType, net.metadata);
  await target.create(networkType, net);
  await bringBack(backup, true);
  const now = await target.get(networkType, net.metadata);
  expect(now?.metadata.labels).toEqual(network.metadata.labels);
});

it.each([
  ['the chart is installed', 'apps/v1', 'Deployment'],
  ['one of its pods has not ended', 'v1', 'Pod'],
])('nothing is written while %s', async (_why, version, kind) => {
  const metadata = {
    name: 'operator',
    namespace: system,
    labels: { 'app.kubernetes.io/part-of': 'slipway' },
  };
  target.seed(resourceType(version, kind), { apiVersion: version, kind, metadata });
  const backup = await save(source);
  const writes = () => target.requests.filter(({ verb }) => !['get', 'list'].includes(verb));
  await expect(bringBack(backup, true)).rejects.toThrow(`is installed in the namespace ${system}`);
  expect(writes()).toEqual([]);
});

it('a restore that fails says what to do, and the next one goes on', async () => {
  const backup = await save(source);
  target.failNext({ verb: 'create', kind: 'Network', error: new Error('etcd is full') });
  await expect(bringBack(backup)).rejects.toThrow(
    /^etcd is full\n.*Do not install the chart yet(.|\n)*the same command again/,
  );
  await bringBack(backup);
  expect(await namesIn(target)).toEqual(['net']);
});

it.each([false, true])(
  'keys that are there and differ are not overwritten (takes over: %s)',
  async (takesOver) => {
    const backup = await save(source);
    await place();
    const metadata = { name: 'slipway-keys', namespace: system };
    const keys = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' };
    const { data } = await target.create(coreSecretType, { ...keys, data: { 'master-keys': 'bmV3' } });
    await expect(bringBack(backup, takesOver)).rejects.toThrow(
      /^Secret .*slipway-keys is there already, with other data .* delete secrets slipway-keys/,
    );
    expect((await target.get(coreSecretType, metadata))?.data).toEqual(data);
    const former = await source.get(coreSecretType, metadata);
    await target.delete(coreSecretType, metadata);
    await target.create(coreSecretType, { ...keys, data: former?.data ?? {} });
    await bringBack(backup, takesOver);
  },
);

describe('what is there of a chain and of keys is not taken back', () => {
  const accessKeys = (epoch: number) => ({
    public: { epoch, observedNonce: epoch },
    admin: { epoch: 0, observedNonce: 0 },
  });
  const keyEpochs = (networks: object, floor?: number) => ({
    apiVersion,
    kind: 'KeyEpochs' as const,
    metadata: { name: keyEpochsName, namespace: home },
    spec: { networks, ...(floor === undefined ? {} : { floor }) } as KeyEpochsResource['spec'],
  });
  const at = '2026-01-01T00:00:00Z';
  /** The network of the backup on its volume, which has rotated its public key once. */
  const rotateOnce = async () => {
    await source.patch(networkType, network.metadata, {
      spec: { persistent: true, accessKeyRotation: { publicNonce: 1 } },
    });
    await source.patch(
      networkType,
      network.metadata,
      { status: { ...ran, accessKeys: accessKeys(1) } },
      'status',
    );
    await source.create(keyEpochsType, keyEpochs({ [idOf(network)]: { ...accessKeys(1), at } }));
  };
  const copied = () => {
    const { labels: own } = network.metadata;
    return aNetwork({ name: 'net', namespace: home, metadata: own ? { labels: own } : {} });
  };
  /** A namespace of a workspace, as the operator creates it. */
  const mark = (kube: Kube, epoch: string) => {
    const own = { [annotations.firstKeyEpoch]: epoch };
    const metadata = { annotations: own, labels: { [labels.workspace]: 'w' } };
    return kube.patch(namespaceType, { name: home }, { metadata });
  };
  const liveNetwork = () => target.get(networkType, network.metadata);

  it.each([
    ['the owner has another uid', false],
    ['it has its owner', true],
  ])('a volume that is there goes on with its network: %s', async (_which, isOwned) => {
    await rotateOnce();
    const backup = await save(source);
    await place(copied());
    const [live] = (await target.list(networkType)).items;
    const name = `net-rpc-data-${engineIncarnationOf(network)}`;
    const ownerReferences =
      isOwned && live ? [{ ...controllerReferenceTo(live), blockOwnerDeletion: true }] : [];
    const metadata = { name, namespace: home, ownerReferences };
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { storageClassName: 'fast' },
    };
    const before = await target.create(persistentVolumeClaimType, claim);
    for (const _run of ['restored', 'and repeated']) {
      const fates: unknown[] = [];
      await restore({
        kube: target,
        backup,
        takesOver: true,
        onFates: (found) => fates.push([...found.values()].map(({ chain }) => chain)),
      });
      expect(fates).toEqual([['kept']]);
      const now = await liveNetwork();
      expect(now?.status).toMatchObject({ storage: 'Volume', incarnation: { number: 0 }, state: 'Pending' });
      expect(now?.status?.previousChain).toBeUndefined();
      const after = await target.get(persistentVolumeClaimType, metadata);
      expect(after?.metadata.uid).toBe(before.metadata.uid);
      expect(after?.spec).toEqual(before.spec);
      expect(after?.metadata.ownerReferences).toEqual([
        expect.objectContaining({ uid: now?.metadata.uid, controller: true }),
      ]);
    }
  });

  it('what becomes of chains is said before anything is written', async () => {
    const backup = await save(source);
    const onFates = () => {
      throw new Error('said');
    };
    await expect(restore({ kube: target, backup, onFates })).rejects.toThrow('said');
    expect(target.requests.filter(({ verb }) => !['get', 'list'].includes(verb))).toEqual([]);
  });

  it('a namespace that was created again keeps the epoch with which its keys begin', async () => {
    await mark(source, '5');
    const backup = await save(source);
    await place();
    const firstIn = async () =>
      (await target.get(namespaceType, { name: home }))?.metadata.annotations?.[annotations.firstKeyEpoch];
    for (const [live, epoch] of [
      ['10', '10'],
      ['1', '5'],
    ] as const) {
      await mark(target, live);
      await bringBack(backup, true);
      expect(await firstIn()).toBe(epoch);
    }
  });

  describe('keys of a network that no record names', () => {
    const keysAt = (epoch: number, nonce = 0) => ({
      public: { epoch, observedNonce: nonce },
      admin: { epoch, observedNonce: 0 },
    });
    const write = (kube: Kube, status: object) =>
      kube.patch(networkType, network.metadata, { status }, 'status');
    const summedUp = (kube: Kube, floor: number) => kube.create(keyEpochsType, keyEpochs({}, floor));
    const createdAgain = () => mark(target, '90');
    const runs = async (epoch: number, spec: object = {}) => {
      await target.create(networkType, copied());
      await target.patch(networkType, network.metadata, { spec });
      await write(target, { accessKeys: keysAt(epoch) });
    };

    it.each<[string, number, () => Promise<unknown>, number]>([
      ['it was rotated, deleted and summed up', 1, () => summedUp(target, 3), 3],
      ['its namespace was created again', 1, createdAgain, 90],
      ['the backup has later ones', 95, createdAgain, 95],
      ['it runs in a namespace that was created again', 1, () => createdAgain().then(() => runs(90)), 90],
      ['its rotation was requested', 0, () => runs(0, { accessKeyRotation: { publicNonce: 1 } }), 1],
      ['it runs, and later ones were summed up', 1, () => summedUp(target, 3).then(() => runs(1)), 1],
    ])('do not go back, and change for nothing else: %s', async (_since, former, change, epoch) => {
      await write(source, { accessKeys: keysAt(former) });
      const backup = await save(source);
      await place();
      await change();
      await bringBack(backup, true);
      expect((await liveNetwork())?.status?.accessKeys?.public).toEqual({ epoch, observedNonce: 0 });
    });

    it('stay as they are where nothing was summed up since, as in a restore that is repeated', async () => {
      await write(source, { accessKeys: keysAt(1) });
      await summedUp(source, 3);
      const backup = await save(source);
      target.failNext({ verb: 'replace', kind: 'Network', error: new Error('etcd is full') });
      await expect(bringBack(backup)).rejects.toThrow('etcd is full');
      await bringBack(backup);
      expect((await liveNetwork())?.status?.accessKeys).toEqual(keysAt(1));
    });
  });

  it('keys that were rotated begin with their namespace, if that was created again without their record', async () => {
    await rotateOnce();
    const backup = await save(source);
    await place();
    await mark(target, '90');
    await bringBack(backup, true);
    const kept = { public: { epoch: 90, observedNonce: 1 }, admin: { epoch: 90, observedNonce: 0 } };
    const [epochs] = (await target.list(keyEpochsType)).items;
    expect(epochs?.spec).toEqual({ networks: { [idOf(network)]: { ...kept, at } } });
    expect((await liveNetwork())?.status?.accessKeys).toEqual(kept);
  });

  it('keys that were rotated since stay rotated, for whoever reads the record or the status', async () => {
    await rotateOnce();
    const backup = await save(source);
    await place(copied());
    const other = '00000000-0000-4000-8000-00000000000a';
    await target.create(
      keyEpochsType,
      keyEpochs({ [idOf(network)]: { ...accessKeys(5), at }, [other]: { ...accessKeys(2), at } }, 3),
    );
    await bringBack(backup, true);
    const kept = { public: { epoch: 5, observedNonce: 1 }, admin: { epoch: 0, observedNonce: 0 } };
    const [epochs] = (await target.list(keyEpochsType)).items;
    expect(epochs?.spec).toEqual({
      networks: { [idOf(network)]: { ...kept, at }, [other]: { ...accessKeys(2), at } },
      floor: 3,
    });
    const now = await liveNetwork();
    expect(now?.status?.accessKeys).toEqual(kept);
    // Nothing is due, so the URLs that worked before the restore work after it.
    expect(now && rotatedAccessKeys(now, kept)).toEqual(kept);
  });
});
