import { setImmediate } from 'node:timers/promises';
import { contractNameOf } from '../../apiserver/verification/contracts.ts';
import { labels } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import {
  journalType,
  networkType,
  snapshotType,
  userType,
  verifiedContractType,
  webhookBatchType,
  webhookType,
} from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { configMapType, coreSecretType, namespaceType, podType } from '../../core/kube/types.ts';
import { partNamesOf } from '../../core/networks/snapshotParts.ts';
import { journalNameOf } from '../../operator/ports/journals.ts';
import { collect } from './collect.ts';
import { type Backup, packBackup, unpackBackup } from './contents.ts';
import { type AnyObject, type Deployment, deploymentType, typeOf } from './kinds.ts';
import { restore } from './restore.ts';

/** What a restore does to single kinds and to the Deployments around them; restore.int.test.ts restores a whole cluster. */

const system = 'slipway-system';
const address = `0x${'ab'.repeat(20)}`;
const apiVersion = 'slipway.dev/v1alpha1';

function install(kube: FakeKube): FakeKube {
  for (const name of [system, 'ws']) {
    kube.seed(namespaceType, {
      ...{ apiVersion: 'v1', kind: 'Namespace' },
      metadata: { name, labels: name === 'ws' ? { [labels.workspace]: 'one' } : {} },
    });
  }
  const data = {
    'master-keys': Buffer.from(`k1:${Buffer.alloc(32, 1).toString('base64')}\n`).toString('base64'),
  };
  kube.seed(coreSecretType, {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'slipway-keys', namespace: system }, data },
  });
  kube.seed(coreSecretType, {
    ...{
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'tls', namespace: system },
      data: { 'tls.key': 'eA==' },
    },
  });
  for (const component of ['apiserver', 'operator', 'webhook'])
    kube.seed(deploymentType, deploymentOf(component));
  return kube;
}

function deploymentOf(component: string): Deployment {
  const volumes = [{ secret: { secretName: 'slipway-keys' } }, { secret: { secretName: 'tls' } }];
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
    metadata: {
      ...{ name: component, namespace: system, generation: 1 },
      labels: {
        'app.kubernetes.io/component': component,
        'app.kubernetes.io/part-of': 'slipway',
        'app.kubernetes.io/managed-by': 'Helm',
      },
    },
    spec: { replicas: 2, selector: { matchLabels: { component } }, template: { spec: { volumes } } },
    status: { observedGeneration: 99, replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
  };
}

const save = (kube: FakeKube) =>
  collect({ kube, namespace: system, version: '0.3.0', saveVolumes: async () => [] });
const bringBack = async (backup: Backup, kube = install(createFakeKube())) => {
  const restored = await restore({ kube, backup: unpackBackup(packBackup(backup)), say: () => undefined });
  return { kube, restored };
};

let source: FakeKube;
let network: Stored<AnyObject>;
const ownedBy = ({ kind, metadata }: AnyObject) => [
  { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true },
];
const seed = (object: AnyObject): Stored<AnyObject> => source.seed(typeOf(object), object);
beforeEach(() => {
  source = install(createFakeKube());
  const { uid: _, ...metadata } = aNetwork({ name: 'net', namespace: 'ws' }).metadata;
  network = seed({ ...aNetwork({ name: 'net', namespace: 'ws' }), metadata } as unknown as AnyObject);
});

it('the keys are those that the installation mounts, without certificates', async () => {
  expect((await save(source)).keys.map(({ metadata }) => metadata.name)).toEqual(['slipway-keys']);
});

it('a journal is found by its scope under the new ids', async () => {
  const scopeOf = (uid: string) => `token/${uid}/incarnation`;
  const scope = scopeOf(network.metadata.uid);
  seed({
    ...{ apiVersion, kind: 'Journal', spec: { scope, steps: {} } },
    metadata: { name: journalNameOf(scope), namespace: 'ws', ownerReferences: ownedBy(network) },
  });
  const { kube } = await bringBack(await save(source));
  const { uid = '' } = (await kube.get(networkType, { namespace: 'ws', name: 'net' }))?.metadata ?? {};
  const name = journalNameOf(scopeOf(uid));
  expect(uid).not.toBe(network.metadata.uid);
  expect(await kube.get(journalType, { namespace: 'ws', name })).toMatchObject({
    metadata: { ownerReferences: [{ uid }] },
    spec: { scope: scopeOf(uid) },
  });
});

it('a verified contract is found by its network and address', async () => {
  const spec = { network: 'net', networkID: network.metadata.uid, enclaveID: 'e', address };
  const name = contractNameOf({ uid: spec.networkID, enclaveID: 'e', address });
  const metadata = { name, namespace: 'ws', ownerReferences: ownedBy(network) };
  seed({ apiVersion, kind: 'VerifiedContract', metadata, spec });
  const { kube } = await bringBack(await save(source));
  const { uid = '' } = (await kube.get(networkType, { namespace: 'ws', name: 'net' }))?.metadata ?? {};
  const now = { namespace: 'ws', name: contractNameOf({ uid, enclaveID: 'e', address }) };
  expect(await kube.get(verifiedContractType, now)).toMatchObject({ spec: { networkID: uid } });
});

it('a snapshot keeps its parts, under the names that follow from its new id', async () => {
  const snapshot = seed({
    ...{
      apiVersion,
      kind: 'Snapshot',
      metadata: { name: 'snap', namespace: 'ws' },
      spec: { network: 'net' },
    },
    status: { state: 'Ready', networkID: network.metadata.uid },
  });
  const parts = { digest: 'd1', parts: 1 };
  const [name = ''] = partNamesOf({ id: snapshot.metadata.uid, ...parts });
  source.seed(configMapType, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', binaryData: { 'part-000': 'eA==' }, immutable: true },
    metadata: {
      ...{ name, namespace: 'ws', ownerReferences: ownedBy(snapshot) },
      labels: { [labels.snapshot]: snapshot.metadata.uid },
    },
  });
  const { kube } = await bringBack(await save(source));
  const now = await kube.get(snapshotType, { namespace: 'ws', name: 'snap' });
  const { uid = '' } = (await kube.get(networkType, { namespace: 'ws', name: 'net' }))?.metadata ?? {};
  expect(now?.status).toMatchObject({ state: 'Ready', networkID: uid });
  const [part = ''] = partNamesOf({ id: now?.metadata.uid ?? '', ...parts });
  expect(await kube.get(configMapType, { namespace: 'ws', name: part })).toMatchObject({
    binaryData: { 'part-000': 'eA==' },
    metadata: { ownerReferences: [{ uid: now?.metadata.uid }] },
  });
});

it('what a webhook has still to deliver follows it', async () => {
  const webhook = seed({
    ...{ apiVersion, kind: 'Webhook', metadata: { name: 'hook', namespace: 'ws' } },
    spec: { url: 'https://example.com' },
  });
  const { uid } = webhook.metadata;
  seed({
    ...{ apiVersion, kind: 'WebhookBatch', spec: { webhook: 'hook', webhookID: uid } },
    metadata: { name: `${uid}-7`, namespace: 'ws', ownerReferences: ownedBy(webhook) },
  });
  const { kube } = await bringBack(await save(source));
  const now = await kube.get(webhookType, { namespace: 'ws', name: 'hook' });
  const ref = { namespace: 'ws', name: `${now?.metadata.uid}-7` };
  expect(await kube.get(webhookBatchType, ref)).toMatchObject({ spec: { webhookID: now?.metadata.uid } });
});

it('what a new installation made for itself is taken over or removed', async () => {
  const user = (name: string, display: string) => ({
    ...{ apiVersion, kind: 'User', metadata: { name, namespace: system }, spec: { name: display } },
  });
  seed(user('admin', 'former'));
  const target = install(createFakeKube());
  const own = target.seed(userType, user('admin', 'new') as never);
  target.seed(typeOf({ kind: 'ApiKey' } as AnyObject), {
    ...{ apiVersion, kind: 'ApiKey', metadata: { name: 'bootstrap2', namespace: system }, spec: {} },
  });
  const { kube } = await bringBack(await save(source), target);
  expect(await kube.get(userType, { namespace: system, name: 'admin' })).toMatchObject({
    metadata: { uid: own.metadata.uid },
    spec: { name: 'former' },
  });
  expect((await kube.list(typeOf({ kind: 'ApiKey' } as AnyObject))).items).toEqual([]);
});

it('what a new installation wrote about its use is replaced by what the backup has, or removed', async () => {
  const chunk = (name: string, entries: number) => ({
    ...{ apiVersion, kind: 'AuditChunk', metadata: { name, namespace: 'ws' }, spec: { entries } },
  });
  seed(chunk('audit-0000000001', 7));
  const target = install(createFakeKube());
  const type = typeOf({ kind: 'AuditChunk' } as AnyObject);
  for (const name of ['audit-0000000001', 'audit-0000000002']) target.seed(type, chunk(name, 1) as never);
  const { kube } = await bringBack(await save(source), target);
  expect((await kube.list(type)).items).toMatchObject([
    { metadata: { name: 'audit-0000000001' }, spec: { entries: 7 } },
  ]);
});

it('nothing is written while a pod that seals with the former keys may still be asked', async () => {
  const target = install(createFakeKube());
  const pod = target.seed(podType, {
    ...{ apiVersion: 'v1', kind: 'Pod', spec: { containers: [] } },
    metadata: {
      ...{ name: 'webhook-1', namespace: system, labels: { component: 'webhook' } },
      ...{ deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['ends/soon'] },
    },
  });
  const restoring = bringBack(await save(source), target);
  const findNetwork = () => target.get(networkType, { namespace: 'ws', name: 'net' });
  // The pods of the API server and the operator are asked for first.
  const lists = () => target.requests.filter(({ verb, kind }) => verb === 'list' && kind === 'Pod').length;
  while (lists() < 3 && !(await findNetwork())) await setImmediate();
  expect(await findNetwork()).toBeUndefined();
  await target.patch(podType, pod.metadata, { metadata: { finalizers: null } });
  await restoring;
  expect(await findNetwork()).toBeDefined();
});

it('what writes is stopped first and started last; what seals secrets gets the restored keys in between', async () => {
  const backup = await save(source);
  const target = install(createFakeKube());
  const { kube } = await bringBack(backup, target);
  const writes = kube.requests
    .filter(({ verb }) => verb !== 'get' && verb !== 'list')
    .map(({ kind, name = '' }) => (kind === 'Deployment' ? name : kind));
  const first = writes.indexOf('Network');
  expect(writes.slice(0, 2).sort()).toEqual(['apiserver', 'operator']);
  expect(writes.indexOf('webhook')).toBeGreaterThan(writes.indexOf('Secret'));
  expect(writes.indexOf('webhook')).toBeLessThan(first);
  expect(writes.slice(-2).sort()).toEqual(['apiserver', 'operator']);
});

it('a restore that fails says what is stopped and what to do, and the next one starts everything again', async () => {
  const backup = unpackBackup(packBackup(await save(source)));
  const target = install(createFakeKube());
  const lines: string[] = [];
  const broken: FakeKube = {
    ...target,
    async create(type, object) {
      if (type.kind === 'Network') throw new Error('the webhook does not answer');
      return target.create(type, object);
    },
  };
  const say = (line: string) => void lines.push(line);
  await expect(restore({ kube: broken, backup, say })).rejects.toThrow('the webhook does not answer');
  expect(lines.at(-1)).toContain('the API server and the operator stay stopped');
  expect(lines.at(-1)).toContain('run the same command again');
  const replicas = async () => (await target.list(deploymentType)).items.map(({ spec }) => spec.replicas);
  expect(await replicas()).toEqual([0, 0, 2]);
  await restore({ kube: target, backup, say });
  expect(await replicas()).toEqual([2, 2, 2]);
});
