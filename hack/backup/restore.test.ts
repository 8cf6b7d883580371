import { setImmediate } from 'node:timers/promises';
import { idOf, withNewId } from '../../core/api/ids.ts';
import { defaultKeyName, labels } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import {
  networkType,
  recordingChunkType,
  recordingType,
  secretType,
  userType,
} from '../../core/api/resources/resources.ts';
import { aUser } from '../../core/api/testing/accountBuilders.ts';
import { aNetwork, aRecording } from '../../core/api/testing/builders.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { coreSecretType, persistentVolumeClaimType, podType } from '../../core/kube/types.ts';
import { engineIncarnationOf } from '../../operator/network/render/childNames.ts';
import { openChunkStore } from '../../operator/recording/chunks/store.ts';
import { captureOf } from '../../operator/recording/testing/lines.ts';
import { captured } from '../../operator/recording/testing/operator.ts';
import { collect } from './collect.ts';
import { type Backup, packBackup, unpackBackup } from './contents.ts';
import { type AnyObject, kindOf } from './kinds.ts';
import { restore } from './restore.ts';
import { deploymentType } from './services.ts';
import { install } from './testing/installation.ts';
import { factsOf, home, linksIn, makeWorld, restorePlainly, system } from './testing/world.ts';

/** What every restore leaves, whatever the cluster; restore.int.test.ts runs the commands on real ones. */

const net = { namespace: home, name: 'net' };
const newCluster = () => install(createFakeKube({ isCollectingGarbage: true, requiresNamespaces: true }));
const save = (kube: Kube, saveVolumes: () => Promise<Backup['volumes']> = async () => []) =>
  collect({ kube, namespace: system, version: '0.5.0', saveVolumes });
const bringBack = (kube: Kube, backup: Backup, takesOver = false) =>
  restore({ kube, backup: unpackBackup(packBackup(backup)), say: () => undefined, takesOver });

let source: FakeKube;
let target: FakeKube;
let network: Stored<NetworkResource>;
beforeEach(async () => {
  [source, target] = await Promise.all([newCluster(), newCluster()]);
  network = await makeWorld(source);
});

const noMore = async () => undefined;
it.each([
  ['an installation of today', true, noMore],
  ['an installation of version 0.3, whose objects had no ids', false, noMore],
  ['an installation of today, over what another tool restored', true, restorePlainly],
])('ids, URLs, names and owners are those of before: %s', async (_what, hasIds, begin) => {
  const [from, to] = await Promise.all([newCluster(), newCluster()]);
  const before = await makeWorld(from, hasIds);
  await begin(from, to);
  await bringBack(to, await save(from), begin !== noMore);
  expect(await factsOf(to)).toEqual(await factsOf(from));
  expect(await linksIn(to)).toEqual(await linksIn(from));
  const after = await to.get(networkType, net);
  expect(after?.metadata.uid).not.toBe(before.metadata.uid);
  expect(after?.metadata.labels?.[labels.id]).toBe(
    before.metadata.labels?.[labels.id] ?? before.metadata.uid,
  );
});

it('what recordings share stays shared: it is there once, and is deleted with the last of them', async () => {
  const all = captureOf({ blocks: 2, bytes: 400_000 });
  const place = { network: 'net', networkID: idOf(network) };
  for (const name of ['one', 'two']) {
    const { uid: _, ...metadata } = aRecording({ name, namespace: home }).metadata;
    const object = withNewId({ ...aRecording({ name, spec: { networks: ['net'] } }), metadata });
    const recording = await source.create(recordingType, object);
    const store = await openChunkStore(source, { recording, ...place }, 0);
    await store.append(all.lines, { number: 2, hash: all.refs[1]?.hash ?? '' });
  }
  await bringBack(target, await save(source));
  const chunksIn = async (kube: FakeKube) => (await kube.list(recordingChunkType)).items;
  expect(await chunksIn(target)).toHaveLength((await chunksIn(source)).length);
  const [one, two] = (await target.list(recordingType)).items;
  if (!one || !two) throw new Error('a recording is missing');
  await target.delete(recordingType, one.metadata);
  expect((await captured(target, two)).map(({ block }) => block)).toEqual([1, 2]);
  await target.delete(recordingType, two.metadata);
  expect(await chunksIn(target)).toEqual([]);
});

it('what another tool restores without status and owners has its ids and URLs', async () => {
  await restorePlainly(source, target);
  expect(await factsOf(target)).toEqual(await factsOf(source));
});

it('a volume keeps its name, is filled from its snapshot and belongs to its network', async () => {
  const classes = kindOf<AnyObject & { driver: string }>(
    'snapshot.storage.k8s.io/v1',
    'VolumeSnapshotClass',
    false,
  );
  const { group, version, kind } = classes;
  target.seed(classes, { apiVersion: `${group}/${version}`, kind, metadata: { name: 'any' }, driver: 'csi' });
  await source.patch(networkType, net, { spec: { persistent: true } });
  await source.patch(networkType, net, { status: { observedGeneration: 2 } }, 'status');
  const { name, uid } = network.metadata;
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: `net-rpc-data-${engineIncarnationOf(network)}`,
      namespace: home,
      ownerReferences: [{ apiVersion: network.apiVersion, kind: 'Network', name, uid }],
    },
    spec: { storageClassName: 'fast' },
  };
  const volume = { driver: 'csi', handle: 'snap-1', network: uid, claim };
  const backup = await save(source, async () => [volume]);
  const stranger = target.seed(persistentVolumeClaimType, {
    ...claim,
    metadata: { ...claim.metadata, uid: 'x' },
  });
  await expect(bringBack(target, backup)).rejects.toThrow(/^A volume is there already/);
  await target.delete(persistentVolumeClaimType, stranger.metadata);
  for (const _run of ['restored', 'and repeated']) {
    await bringBack(target, backup);
    const now = await target.get(networkType, net);
    expect(now && engineIncarnationOf(now)).toBe(engineIncarnationOf(network));
    expect(now?.status).toMatchObject({
      state: 'Pending',
      enclaveID: 'former',
      origin: uid,
      observedGeneration: 1,
    });
    expect(await target.get(persistentVolumeClaimType, claim.metadata)).toMatchObject({
      metadata: { ownerReferences: [{ uid: now?.metadata.uid }] },
      spec: { storageClassName: 'fast', dataSource: { name: claim.metadata.name } },
    });
  }
});

it('what was being deleted is left out, with all that belongs to it', async () => {
  const ending = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['ends/soon'] };
  await source.create(networkType, aNetwork({ name: 'stays', namespace: home }));
  source.seed(networkType, { ...network, metadata: { ...network.metadata, ...ending } });
  const { left } = await bringBack(target, await save(source));
  expect(left.map(({ kind }) => kind).sort()).toEqual(['Journal', 'Network', 'Outbox', 'Outbox']);
  expect((await target.list(networkType)).items.map(({ metadata }) => metadata.name)).toEqual(['stays']);
});

it('the keys are those that the installation mounts, without certificates', async () => {
  const secretsIn = async (kube: Kube) =>
    (await kube.list(coreSecretType)).items.map(({ metadata, data }) => [metadata.name, data]);
  const certificate = { data: { 'tls.key': 'other' } };
  await target.patch(
    coreSecretType,
    { namespace: system, name: 'slipway-keys' },
    { data: { 'master-keys': 'other' } },
  );
  await target.patch(coreSecretType, { namespace: system, name: 'slipway-tls' }, certificate);
  await bringBack(target, await save(source));
  const [[name, keys] = []] = await secretsIn(source);
  expect(await secretsIn(target)).toEqual([
    [name, keys],
    ['slipway-tls', certificate.data],
  ]);
});

it('what a new installation made for itself is taken over or removed', async () => {
  const chunkType = kindOf(network.apiVersion, 'AuditChunk');
  const { apiVersion } = network;
  const chunk = (name: string, entries: number) => {
    const metadata = { name, namespace: home };
    return { apiVersion, kind: 'AuditChunk', metadata, spec: { entries } };
  };
  await source.create(userType, aUser({ name: 'admin', spec: { name: 'former' } }));
  await source.create(chunkType, chunk('audit-1', 7));
  const own = await target.create(userType, aUser({ name: 'admin', spec: { name: 'new' } }));
  for (const name of ['audit-1', 'audit-2']) await target.create(chunkType, chunk(name, 1));
  await bringBack(target, await save(source));
  const { uid } = own.metadata;
  expect((await target.list(userType)).items).toMatchObject([
    { metadata: { uid }, spec: { name: 'former' } },
  ]);
  expect((await target.list(chunkType)).items).toMatchObject([{ spec: { entries: 7 } }]);
});

it('the default key that a new installation made gives way to that of the backup, because no id can be changed', async () => {
  const keyWith = (id: string) => ({
    apiVersion: network.apiVersion,
    kind: 'Secret' as const,
    metadata: { name: defaultKeyName, namespace: home, labels: { [labels.id]: id } },
    spec: { type: 'private-key', data: 'sealed' },
  });
  const [former, own] = ['6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7', '7f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7'];
  await source.create(secretType, keyWith(former));
  const { metadata } = await target.create(secretType, keyWith(own));
  await bringBack(target, await save(source));
  const now = await target.get(secretType, metadata);
  expect(now?.metadata.labels?.[labels.id]).toBe(former);
  expect(now?.metadata.uid).not.toBe(metadata.uid);
});

it('an object with another id is not taken over', async () => {
  await makeWorld(target);
  await expect(bringBack(target, await save(source), true)).rejects.toThrow(
    /^This installation is in use: Network/,
  );
});

it('nothing is written while a pod that seals with the former keys may still be asked', async () => {
  const own = { 'app.kubernetes.io/component': 'webhook' };
  const metadata = {
    name: 'webhook-1',
    namespace: system,
    labels: own,
    finalizers: ['ends/soon'],
    deletionTimestamp: '2030-01-01T00:00:00Z',
  };
  const pod = target.seed(podType, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } });
  const restoring = bringBack(target, await save(source));
  const lists = () => target.requests.filter(({ verb, kind }) => verb === 'list' && kind === 'Pod').length;
  // Those of the API server and the operator are asked for first.
  while (lists() < 4 && !(await target.get(networkType, net))) await setImmediate();
  expect(await target.get(networkType, net)).toBeUndefined();
  await target.patch(podType, pod.metadata, { metadata: { finalizers: null } });
  await restoring;
  expect(await target.get(networkType, net)).toBeDefined();
});

it('a restore that fails says what is stopped and what to do, and the next one starts everything again', async () => {
  const backup = await save(source);
  const lines: string[] = [];
  target.failNext({ verb: 'create', kind: 'Network', error: new Error('the webhook does not answer') });
  const failing = restore({ kube: target, backup, say: (line) => void lines.push(line) });
  await expect(failing).rejects.toThrow('the webhook does not answer');
  expect(lines.at(-1)).toContain('the API server and the operator stay stopped');
  expect(lines.at(-1)).toContain('run the same command again');
  const replicas = async () => (await target.list(deploymentType)).items.map(({ spec }) => spec.replicas);
  expect(await replicas()).toEqual([0, 0, 2]);
  await bringBack(target, backup);
  expect(await replicas()).toEqual([2, 2, 2]);
});
