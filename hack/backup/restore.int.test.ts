import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountsApi } from '../../apiserver/testing/accountsApi.ts';
import { labels } from '../../core/api/names.ts';
import {
  networkType,
  outboxType,
  recordingType,
  secretType,
  tokenType,
  webhookType,
} from '../../core/api/resources/resources.ts';
import { createKube, type KubeClient } from '../../core/kube/client/client.ts';
import { namespaceType, type Pod, podType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { keyRecordNameOf, queueNameOf, queueRefOf } from '../../core/outbox/outboxObjects.ts';
import { type ChainScene, createChainScene, sceneSealer } from '../../core/outbox/testing/scene.ts';
import { openSigningKeys } from '../../core/webhooks/signingSecrets.ts';
import { createReferenceReader } from '../../operator/network/references.ts';
import { startOperator } from '../../operator/network/testing/operator.ts';
import { startTestEnvironment, type TestEnvironment } from '../testenv/environment.ts';
import { crdFiles } from '../testenv/globalSetup.ts';
import { ensureTools } from '../tools/ensure.ts';
import { unpackBackup } from './contents.ts';
import { decryptBackup } from './encryption.ts';
import { deploymentType } from './kinds.ts';
import { restore } from './restore.ts';
import { apiOver, createNetwork, type MadeData, makeData } from './testing/data.ts';
import {
  countsOf,
  everything,
  follow,
  guard,
  home,
  install,
  masterKeys,
  passphrase,
  served,
  system,
  writePrograms,
} from './testing/installation.ts';

/**
 * A backup of one cluster, restored into another one by the commands of docs/operations.md. The data is made over REST, by
 * operators and on real chains; there are no nodes, so pods do not run. The webhook and the policies of the chart guard
 * the second cluster.
 */

const transactions = '/transaction/v1alpha1/transaction';
const folder = mkdtempSync(join(tmpdir(), 'slipway-backup-'));
let source: TestEnvironment;
let target: TestEnvironment;
let from: KubeClient;
let to: KubeClient;

const kubeOf = ({ kubeconfig }: TestEnvironment) =>
  createKube({ kubeconfigPath: kubeconfig, log: silentLog, clock: systemClock });

let scene: ChainScene;
let made: MadeData;
let after: AccountsApi<KubeClient>;
let output: string;
let webhook: Server;
beforeAll(async () => {
  await ensureTools(['kubectl']);
  const options = { crdFiles: crdFiles() };
  [source, target] = await Promise.all([startTestEnvironment(options), startTestEnvironment(options)]);
  [from, to] = [kubeOf(source), kubeOf(target)];
  await writePrograms(folder);
  await Promise.all([served(from), served(to)]);
  await install(from, masterKeys);
  await install(to, `k9:${Buffer.alloc(32, 8).toString('base64')}\n`);
  scene = await createChainScene(from);
  const marks = { labels: { [labels.workspace]: 'one', [labels.workspaceNamespace]: 'one' } };
  await from.patch(namespaceType, { name: scene.user.namespace }, { metadata: marks });
  const personal = (await from.list(namespaceType)).items.find(({ metadata }) =>
    /^slipway-p/.test(metadata.name),
  );
  if (personal) await from.patch(namespaceType, personal.metadata, { metadata: marks });
  made = await makeData(from, scene);
  webhook = await guard(to, target, folder);
  output = await follow('Back up', source, folder);
  output += await follow('Restore', target, folder);
  after = await apiOver(to, scene);
});
afterAll(async () => {
  await after?.api.close();
  await scene?.stop();
  webhook?.close();
  await Promise.all([from?.close(), to?.close()]);
  await Promise.all([source?.stop(), target?.stop()]);
  rmSync(folder, { recursive: true });
});

it('every object is there once', async () => {
  const counts = countsOf(await everything(from));
  expect(countsOf(await everything(to))).toEqual(counts);
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining([
      'ApiKey',
      'IdempotencyRecord',
      'Invitation',
      'Network',
      'Outbox',
      'Recording',
      'RecordingChunk',
      'Token',
      'User',
      'Webhook',
    ]),
  );
});

it('the file holds nothing readable', () => {
  const text = readFileSync(join(folder, 'slipway.backup')).toString('latin1');
  for (const word of ['by-rest', 'master-keys', masterKeys.trim()]) expect(text).not.toContain(word);
});

it('the API keys of users work, and nobody else gets in', async () => {
  expect((await after.ask(made.ann.token, '/me')).json.user.id).toBe(made.ann.userId);
  expect((await after.ask(`${made.ann.token}x`, '/me')).status).toBe(401);
});

it('a secret opens for its owner', async () => {
  const { items } = (await after.ask(made.ann.token, '/v1alpha/secrets')).json;
  const hot = items.find(({ name }: { name: string }) => name === 'hot');
  expect(hot.id).not.toBe(made.secret);
  const { json } = await after.ask(made.ann.token, `/v1alpha/secrets/${hot.id}`);
  expect(json.data).toBe(Buffer.alloc(32, 9).toString('base64'));
});

it('a signing secret whose name follows from its webhook is found and opens', async () => {
  const webhook = await to.get(webhookType, { name: 'hook', namespace: home });
  if (!webhook) throw new Error('no webhook');
  const { items } = await to.list(secretType, { namespace: home });
  const find = (name: string) => items.find(({ metadata }) => metadata.name === name);
  expect(openSigningKeys(sceneSealer, webhook, { find, nowMs: Date.now() })).toEqual([Buffer.alloc(32, 5)]);
});

it('a repeated Idempotency-Key gets the answer of the first request, with the new id', async () => {
  const again = await createNetwork(after, made.ann);
  const network = await to.get(networkType, { name: 'by-rest', namespace: home });
  expect([made.network.status, again.status]).toEqual([201, 201]);
  expect(again.json.id).toBe(network?.metadata.uid);
  expect(again.json.id).not.toBe(made.network.id);
});

it('transactions are readable by their hash, and tokens are listed on their networks', async () => {
  const alphaNow = await to.get(networkType, { name: 'alpha', namespace: scene.user.namespace });
  for (const hash of made.hashes) {
    const { json } = await after.api.request(`/v1alpha1/transaction/submissions/${hash}`);
    expect(json).toMatchObject({ hash, state: 'mined', network_id: alphaNow?.metadata.uid });
  }
  const { json } = await after.api.request('/v1alpha1/transaction/token');
  expect(json.items.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['EXM']);
  const [token] = (await to.list(tokenType)).items;
  expect(JSON.stringify(token)).not.toContain(made.alpha.id);
});

it('sender queues and archives have the names that follow from the new ids', async () => {
  const { items } = await to.list(outboxType);
  for (const one of items) {
    expect(one.metadata.labels?.[labels.queue]).toBe(queueNameOf(queueRefOf(one)));
  }
  const archived = items.filter(({ metadata }) => /^k[0-9a-f]{40}$/.test(metadata.name));
  expect(archived.map(({ metadata }) => metadata.name)).toEqual(
    archived.map((one) =>
      keyRecordNameOf(queueNameOf(queueRefOf(one)), batchesOf(one)[0]?.idempotencyKey ?? ''),
    ),
  );
  expect(archived.length).toBeGreaterThan(0);
});

it('a recording can be exported as before', async () => {
  const [recording] = (await to.list(recordingType)).items;
  const recordingId = recording?.metadata.uid;
  const { json } = await after.api.request(`${transactions}/recording/${recordingId}/document`);
  expect(recordingId).not.toBe(made.recording);
  const withoutIds = (value: unknown) => JSON.stringify(value).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id');
  expect(withoutIds(json)).toBe(withoutIds(made.document));
});

it('the services run again, with as many replicas as before', async () => {
  const { items } = await to.list(deploymentType, { namespace: system });
  expect(items.map(({ spec, metadata }) => [spec.replicas, metadata.annotations])).toEqual([
    [2, undefined],
    [2, undefined],
  ]);
});

const again = (kube: KubeClient) => {
  const bytes = decryptBackup(readFileSync(join(folder, 'slipway.backup')), passphrase);
  return restore({ kube, backup: unpackBackup(bytes), say: () => undefined });
};

it('a repeated restore adds nothing', async () => {
  const first = countsOf(await everything(to));
  await again(to);
  expect(countsOf(await everything(to))).toEqual(first);
});

it('an installation in use is left alone, and the message names what is there', async () => {
  await expect(again(from)).rejects.toThrow(/^This installation is in use: \w+ \S+ is not of this backup/);
  const { items } = await from.list(deploymentType, { namespace: system });
  expect(items.map(({ spec }) => spec.replicas)).toEqual([2, 2]);
});

it('networks begin a new chain without an error, and say that the former one ended', async () => {
  expect(output).toContain(
    `networks that come back with a new chain: ${home}/by-rest, ${scene.user.namespace}/alpha`,
  );
  const deps = { references: createReferenceReader(sceneSealer) };
  const operator = startOperator({ kube: to, namespace: home, deps });
  try {
    const network = await operator.reach(
      'by-rest',
      ({ status }) => status?.message !== 'restored from a backup',
    );
    expect(network.status).toMatchObject({
      state: 'Pending',
      incarnation: { number: 1 },
      previousChain: { enclaveID: 'former', reason: 'the backup has no copy of its data' },
    });
    const isOurs = (pod: Pod) => pod.metadata.labels?.[labels.network] === network.metadata.uid;
    expect(await operator.caches.pods.waitFor(isOurs, { timeoutMs: 120_000 })).toBeDefined();
    expect((await to.list(podType, { namespace: home })).items).toHaveLength(1);
  } finally {
    await operator.stop();
  }
});
