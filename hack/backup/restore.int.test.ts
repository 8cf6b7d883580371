import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { jest } from '@jest/globals';
import { stringify } from 'yaml';
import { createAdmissionListener } from '../../apiserver/admission/listener.ts';
import { admissionMetricTable } from '../../apiserver/admission/metrics.ts';
import { webhookType as admissionType, sealWebhook } from '../../apiserver/admission/testing/webhook.ts';
import { createTlsServer } from '../../apiserver/admission/tlsServer.ts';
import {
  type AccountsApi,
  accountsApiOver,
  admin,
  type Person,
} from '../../apiserver/testing/accountsApi.ts';
import { writeCertificate } from '../../apiserver/testing/certificate.ts';
import { eventually } from '../../apiserver/testing/eventually.ts';
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
import type { Stored } from '../../core/kube/kube.ts';
import { coreSecretType, namespaceType, type Pod, podType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { chainMembersOf } from '../../core/networks/chainChange.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { keyRecordNameOf, queueNameOf, queueRefOf } from '../../core/outbox/outboxObjects.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
  sceneSealer,
} from '../../core/outbox/testing/scene.ts';
import { newSecretObject, openSigningKeys } from '../../core/webhooks/signingSecrets.ts';
import { createReferenceReader } from '../../operator/network/references.ts';
import { startOperator } from '../../operator/network/testing/operator.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';
import { startRecordingOperator } from '../../operator/recording/testing/operator.ts';
import { helmSkipReason, renderChart } from '../chart/render.ts';
import { projectRoot } from '../lib/paths.ts';
import { run, tryRun } from '../lib/run.ts';
import { commandsUnder } from '../lib/runbook.ts';
import { startTestEnvironment, type TestEnvironment } from '../testenv/environment.ts';
import { crdFiles } from '../testenv/globalSetup.ts';
import { ensureTools } from '../tools/ensure.ts';
import { unpackBackup } from './contents.ts';
import { decryptBackup } from './encryption.ts';
import { type AnyObject, deploymentType, slipwayTypes } from './kinds.ts';
import { readAll } from './read.ts';
import { restore } from './restore.ts';

jest.setTimeout(120_000);

/**
 * A backup of one cluster, restored into another one by the commands of docs/operations.md. The data is made over REST, by
 * operators and on real chains; there are no nodes, so pods do not run. The webhook and the policies of the chart guard
 * the second cluster.
 */

const system = 'slipway-system';
const home = 'slipway-default';
const passphrase = 'a passphrase for tests';
const transactions = '/transaction/v1alpha1/transaction';
const receiver = `0x${'7e'.repeat(20)}`;
const masterKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}\n`;

const folder = mkdtempSync(join(tmpdir(), 'slipway-backup-'));
let source: TestEnvironment;
let target: TestEnvironment;
let from: KubeClient;
let to: KubeClient;

const kubeOf = ({ kubeconfig }: TestEnvironment) =>
  createKube({ kubeconfigPath: kubeconfig, log: silentLog, clock: systemClock });

/** What the chart would have installed, as far as a backup sees it. */
async function install(kube: KubeClient, keys: string): Promise<void> {
  for (const name of [system, home]) {
    const marks = name === home ? { labels: { [labels.workspace]: 'default' } } : {};
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...marks } });
  }
  const data = { 'master-keys': Buffer.from(keys).toString('base64') };
  const metadata = { name: 'slipway-keys', namespace: system };
  await kube.create(coreSecretType, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  for (const component of ['apiserver', 'operator']) {
    const own = { 'app.kubernetes.io/component': component };
    const installed = { 'app.kubernetes.io/part-of': 'slipway', 'app.kubernetes.io/managed-by': 'Helm' };
    const volumes = [{ name: 'keys', secret: { secretName: 'slipway-keys' } }];
    const containers = [{ name: component, image: 'service' }];
    await kube.create(deploymentType, {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      metadata: { name: `slipway-${component}`, namespace: system, labels: { ...own, ...installed } },
      spec: {
        replicas: 2,
        selector: { matchLabels: own },
        template: { metadata: { labels: own }, spec: { containers, volumes } } as object & { spec: object },
      },
    });
  }
}

/** The chart's policies, and the webhook as it runs once it has the restored keys. */
async function guard(): Promise<Server> {
  writeCertificate(folder);
  const metrics = createMetrics([admissionMetricTable]);
  const deps = { sealer: sceneSealer, serviceNamespace: system, log: silentLog, metrics };
  const listener = createAdmissionListener(deps);
  const server = await createTlsServer({ folder, listener, clock: systemClock, log: silentLog });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await to.create(admissionType, sealWebhook({ name: 'seal', namespace: home, port, folder }));
  if (helmSkipReason()) return server;
  const { kubectl } = await ensureTools(['kubectl']);
  const manifests = await renderChart();
  const policies = manifests.filter(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy'));
  const input = policies.map((policy) => stringify(policy)).join('---\n');
  await run(kubectl, ['apply', '-f', '-'], { env: { KUBECONFIG: target.kubeconfig }, input });
  return server;
}

/** Runs the commands of the page on a cluster, with helm replaced: the chart is there. */
async function follow(heading: string, { kubeconfig }: TestEnvironment): Promise<string> {
  const bin = join(folder, 'bin');
  const path = [bin, join(projectRoot, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const env = { KUBECONFIG: kubeconfig, PATH: path, BACKUP_PASSPHRASE: passphrase };
  const commands = commandsUnder('docs/operations.md', heading).replaceAll('DIR=backup', `DIR=${folder}`);
  const { code, output: said } = await tryRun('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: projectRoot,
    env,
  });
  if (code !== 0) throw new Error(said);
  return said;
}

async function writePrograms(): Promise<void> {
  const programs = {
    helm: 'exit 0',
    // The packages of this checkout are installed, whatever the times of their files say.
    make: 'exec /usr/bin/make -o node_modules/.package-lock.json "$@"',
  };
  await run('mkdir', ['-p', join(folder, 'bin')]);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
}

const everything = async (kube: KubeClient): Promise<Stored<AnyObject>[]> =>
  (await Promise.all(slipwayTypes.map((type) => readAll(kube, type)))).flat();
const countsOf = (objects: AnyObject[]) =>
  Object.fromEntries(
    [...Map.groupBy(objects, ({ kind }) => kind)]
      .map(([kind, { length }]) => [kind, length] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

let scene: ChainScene;
let alpha: SceneNetwork;
let before: AccountsApi<KubeClient>;
let after: AccountsApi<KubeClient>;
let ann: Person;
let made: {
  network: { status: number; id: string };
  secret: string;
  recording: string;
  hashes: string[];
  document: unknown;
};
const createNetwork = (api: AccountsApi<KubeClient>) =>
  api.ask(ann.token, '/v1alpha/networks', {
    body: {
      name: 'by-rest',
      spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot' } } } },
    },
    headers: { 'Idempotency-Key': 'one' },
  });
const apiOver = (kube: KubeClient) =>
  accountsApiOver(kube, {
    ...{ users: [scene.user], upstreams: scene.upstreams, sealer: sceneSealer, namespace: system },
  });

async function settled(kube: KubeClient): Promise<void> {
  const selector = { labelSelector: 'slipway.dev/role=queue' };
  while ((await kube.list(outboxType, selector)).items.some((queue) => batchesOf(queue).length > 0)) {
    await systemClock.sleep(50);
  }
}

/** A status as the operator writes it once a chain runs. */
async function runChain(
  kube: KubeClient,
  { name, namespace }: { name: string; namespace: string },
  storage: string,
) {
  const network = await kube.get(networkType, { name, namespace });
  if (!network) throw new Error(`no network ${name}`);
  const begun = { number: 0, revision: 0, startedAt: '2026-01-01T00:00:00Z', profile: 'light' };
  const status = {
    ...{ state: 'Operational', enclaveID: 'former', chainID: '1200000001', ...network.status, storage },
    ...{
      observedGeneration: network.metadata.generation,
      incarnation: { ...begun, members: chainMembersOf(network.spec) },
    },
  };
  return kube.patch(networkType, network.metadata, { status }, 'status');
}

async function makeData(): Promise<void> {
  const outbox = await startOutboxOperator({ kube: from, scene, serviceNamespace: system });
  alpha = await scene.addNetwork('alpha');
  const urls = new Map([['alpha', alpha.url]]);
  const recorder = await startRecordingOperator(from, { namespace: scene.user.namespace, urls });
  before = await apiOver(from);
  ann = await before.join('ann@example.com', 'developer');
  const plain = Buffer.alloc(32, 9).toString('base64');
  const secret = await before.post(ann.token, '/v1alpha/secrets', {
    name: 'hot',
    type: 'private-key',
    data: plain,
  });
  await before.post(admin, '/workspaces/default/invitations', { email: 'later@example.com', role: 'viewer' });
  const network = await createNetwork(before);
  const post = async (path: string, body: object) => {
    const answer = await before.api.request(`${transactions}${path}`, {
      body,
      headers: { 'Idempotency-Key': path },
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.json;
  };
  const start = { userAddress: scene.wallet.address, networkIds: [alpha.id] };
  const { recordingId } = await post('/recording/start', start);
  const item = { from: scene.wallet.address, to: receiver, data: '0x' };
  const items = [1, 2, 3].map((value) => ({ ...item, value: String(value) }));
  const sent = await post('/submit', { transactions_by_network: { [alpha.id]: items } });
  await settled(from);
  await post('/recording/stop', { recordingId });
  const deployment = { network_id: alpha.id, args: { total_supply: '1000000' } };
  await post('/token/erc20/deploy', { name: 'Example', symbol: 'EXM', deployments: [deployment] });
  await makeWebhook();
  await runChain(from, { name: 'alpha', namespace: scene.user.namespace }, 'Pod');
  await runChain(from, { name: 'by-rest', namespace: home }, 'Volume');
  const { json: document } = await before.api.request(`${transactions}/recording/${recordingId}/document`);
  made = {
    network: { status: network.status, id: network.json.id },
    secret: secret.id,
    ...{ recording: recordingId, hashes: sent.tx_hashes_by_network[alpha.id], document },
  };
  await before.api.close();
  await recorder.stop();
  await outbox();
}

/** As with kubectl: its signing secret has a name that follows from its uid. */
async function makeWebhook(): Promise<void> {
  const webhook = await from.create(webhookType, {
    ...{ apiVersion: 'slipway.dev/v1alpha1', kind: 'Webhook' },
    metadata: { name: 'hook', namespace: home },
    spec: { url: 'https://example.com/hook' },
  });
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  await from.create(
    secretType,
    newSecretObject(sceneSealer, webhook, { name: `webhook-${webhook.metadata.uid}`, secret }),
  );
}

/** kube-apiserver refuses kinds for a moment after their definitions are established. */
const served = (kube: KubeClient) => eventually(() => everything(kube).catch(() => undefined), Boolean);

let output: string;
let webhook: Server;
beforeAll(async () => {
  await ensureTools(['kubectl']);
  const options = { crdFiles: crdFiles() };
  [source, target] = await Promise.all([startTestEnvironment(options), startTestEnvironment(options)]);
  [from, to] = [kubeOf(source), kubeOf(target)];
  await writePrograms();
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
  await makeData();
  webhook = await guard();
  output = await follow('Back up', source);
  output += await follow('Restore', target);
  after = await apiOver(to);
}, 300_000);
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
  expect((await after.ask(ann.token, '/me')).json.user.id).toBe(ann.userId);
  expect((await after.ask(`${ann.token}x`, '/me')).status).toBe(401);
});

it('a secret opens for its owner', async () => {
  const { items } = (await after.ask(ann.token, '/v1alpha/secrets')).json;
  const hot = items.find(({ name }: { name: string }) => name === 'hot');
  expect(hot.id).not.toBe(made.secret);
  const { json } = await after.ask(ann.token, `/v1alpha/secrets/${hot.id}`);
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
  const again = await createNetwork(after);
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
  expect(JSON.stringify(token)).not.toContain(alpha.id);
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
    expect(await operator.caches.pods.waitFor(isOurs, { timeoutMs: 15_000 })).toBeDefined();
    expect((await to.list(podType, { namespace: home })).items).toHaveLength(1);
  } finally {
    await operator.stop();
  }
});
