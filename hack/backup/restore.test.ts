import { setImmediate } from 'node:timers/promises';
import { withNewId } from '../../core/api/ids.ts';
import { apiVersion, defaultKeyName } from '../../core/api/names.ts';
import { ownerReferenceTo, type Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { journalType, networkType, secretType, userType } from '../../core/api/resources/resources.ts';
import { aUser } from '../../core/api/testing/accountBuilders.ts';
import { aNetwork, aSecret } from '../../core/api/testing/builders.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { coreSecretType, podType } from '../../core/kube/types.ts';
import { type Backup, collect } from './collect.ts';
import { kindOf } from './objects.ts';
import { restore } from './restore.ts';
import { deploymentType } from './services.ts';
import { install } from './testing/installation.ts';
import { home, system } from './testing/world.ts';

/** What a restore does to what it finds. restore.int.test.ts shows what it leaves on real clusters. */

const newCluster = () => install(createFakeKube({ isCollectingGarbage: true, requiresNamespaces: true }));
let lines: string[];
const say = (line: string) => void lines.push(line);
const save = (kube: Kube) => collect(system, { kube, say, signal: new AbortController().signal, taken: [] });
const bringBack = (backup: Backup, takesOver = false) => restore({ kube: target, backup, say, takesOver });

let source: FakeKube;
let target: FakeKube;
let network: Stored<NetworkResource>;
beforeEach(async () => {
  lines = [];
  [source, target] = await Promise.all([newCluster(), newCluster()]);
  network = await source.create(networkType, withNewId(aNetwork({ name: 'net', namespace: home })));
  const metadata = { name: 'j', namespace: home, ownerReferences: [ownerReferenceTo(network)] };
  await source.create(journalType, { apiVersion, kind: 'Journal', metadata, spec: { scope: 'net' } });
});

it('what is being deleted is left out, with all that belongs to it, and the backup says so', async () => {
  const ending = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['ends/soon'] };
  await source.create(networkType, aNetwork({ name: 'stays', namespace: home }));
  source.seed(networkType, { ...network, metadata: { ...network.metadata, ...ending } });
  await bringBack(await save(source));
  const left = lines.filter((line) => line.startsWith('not in the backup'));
  expect(left.map((line) => line.split(': ')[1])).toEqual([`Journal ${home}/j`, `Network ${home}/net`]);
  expect((await target.list(networkType)).items.map(({ metadata }) => metadata.name)).toEqual(['stays']);
  expect((await target.list(journalType)).items).toEqual([]);
});

it('the keys are those that the installation mounts, without certificates', async () => {
  const dataIn = async (kube: Kube) =>
    Object.fromEntries(
      (await kube.list(coreSecretType)).items.map(({ metadata, data }) => [metadata.name, data]),
    );
  const other = { 'slipway-keys': { 'master-keys': 'other' }, 'slipway-tls': { 'tls.key': 'other' } };
  for (const [name, data] of Object.entries(other)) {
    await target.patch(coreSecretType, { namespace: system, name }, { data });
  }
  await bringBack(await save(source));
  expect(await dataIn(target)).toEqual({ ...(await dataIn(source)), 'slipway-tls': other['slipway-tls'] });
});

it('what a new installation made for itself is taken over or removed, or gives way where its id cannot be changed', async () => {
  const chunkType = kindOf(apiVersion, 'AuditChunk');
  const chunk = (name: string, entries: number) => {
    const metadata = { name, namespace: home };
    return { apiVersion, kind: 'AuditChunk', metadata, spec: { entries } };
  };
  const key = aSecret({ name: defaultKeyName, namespace: home });
  const former = await source.create(secretType, withNewId(key));
  await source.create(userType, aUser({ name: 'admin', spec: { name: 'former' } }));
  await source.create(chunkType, chunk('audit-1', 7));
  const own = await target.create(userType, aUser({ name: 'admin', spec: { name: 'new' } }));
  const ownKey = await target.create(secretType, withNewId(key));
  for (const name of ['audit-1', 'audit-2']) await target.create(chunkType, chunk(name, 1));
  await bringBack(await save(source));
  const { uid } = own.metadata;
  expect((await target.list(userType)).items).toMatchObject([
    { metadata: { uid }, spec: { name: 'former' } },
  ]);
  expect((await target.list(chunkType)).items).toMatchObject([{ spec: { entries: 7 } }]);
  const [now] = (await target.list(secretType)).items;
  expect(now?.metadata.labels).toEqual(former.metadata.labels);
  expect(now?.metadata.uid).not.toBe(ownKey.metadata.uid);
});

it('an object with another id is not taken over, and one without an id is', async () => {
  const net = aNetwork({ name: 'net', namespace: home });
  const other = await target.create(networkType, withNewId(net));
  const backup = await save(source);
  await expect(bringBack(backup, true)).rejects.toThrow(/^This installation is in use: Network/);
  await target.delete(networkType, other.metadata);
  await target.create(networkType, net);
  await bringBack(backup, true);
  const now = await target.get(networkType, net.metadata);
  expect(now?.metadata.labels).toEqual(network.metadata.labels);
});

it('nothing is written while a pod that seals with the former keys may still be asked', async () => {
  const metadata = {
    name: 'webhook-1',
    namespace: system,
    labels: { 'app.kubernetes.io/component': 'webhook' },
    finalizers: ['ends/soon'],
    deletionTimestamp: '2030-01-01T00:00:00Z',
  };
  const pod = target.seed(podType, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } });
  const restoring = bringBack(await save(source));
  const lists = () => target.requests.filter(({ verb, kind }) => verb === 'list' && kind === 'Pod').length;
  // Those of the API server and the operator are asked for first.
  while (lists() < 4 && !(await target.get(networkType, network.metadata))) await setImmediate();
  expect(await target.get(networkType, network.metadata)).toBeUndefined();
  await target.patch(podType, pod.metadata, { metadata: { finalizers: null } });
  await restoring;
  expect(await target.get(networkType, network.metadata)).toBeDefined();
});

it('a restore that fails says what is stopped and what to do, and the next one starts everything again', async () => {
  const backup = await save(source);
  target.failNext({ verb: 'create', kind: 'Network', error: new Error('the webhook does not answer') });
  await expect(bringBack(backup)).rejects.toThrow('the webhook does not answer');
  expect(lines.at(-1)).toContain('the API server and the operator stay stopped');
  expect(lines.at(-1)).toContain('run the same command again');
  const replicas = async () => (await target.list(deploymentType)).items.map(({ spec }) => spec.replicas);
  expect(await replicas()).toEqual([0, 0, 2]);
  await bringBack(backup);
  expect(await replicas()).toEqual([2, 2, 2]);
});
