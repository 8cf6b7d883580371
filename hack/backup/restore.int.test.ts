import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountsApi, accountsApiOver, type Person } from '../../apiserver/testing/accountsApi.ts';
import { eventually } from '../../apiserver/testing/eventually.ts';
import type { Answer } from '../../apiserver/testing/harness.ts';
import { parseKeyring } from '../../core/accounts/keyring.ts';
import { labels } from '../../core/api/names.ts';
import { resourceType } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { keyEpochsName } from '../../core/api/resources/records/keyEpochs.ts';
import { keyEpochsType, networkType, outboxType, tokenType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createKube, type KubeClient } from '../../core/kube/client/client.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { namespaceType, type Pod, persistentVolumeClaimType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { type ChainScene, createChainScene, sceneSealer } from '../../core/outbox/testing/scene.ts';
import { createKeyEpochs } from '../../operator/ids/keyEpochs.ts';
import { createReferenceReader } from '../../operator/network/references.ts';
import { engineIncarnationOf } from '../../operator/network/render/childNames.ts';
import { endpointsOf } from '../../operator/network/status/endpoints.ts';
import { anInstallation } from '../../operator/network/testing/facts.ts';
import { startOperator } from '../../operator/network/testing/operator.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';
import { startRecordingOperator } from '../../operator/recording/testing/operator.ts';
import { helmSkipReason } from '../chart/render.ts';
import { startTestEnvironment } from '../testenv/environment.ts';
import { crdFiles } from '../testenv/globalSetup.ts';
import { ensureTools } from '../tools/ensure.ts';
import { unpackBackup } from './file.ts';
import { restore } from './restore.ts';
import { follow, install, keys, passphrase } from './testing/installation.ts';
import { home, idsIn, linksIn, makeWorld, originsIn, ran, restorePlainly, system } from './testing/world.ts';

/**
 * A backup of one cluster, restored into an empty one by the commands of docs/operations.md, which then install the chart, and over what
 * another tool restored into a third one. There are no nodes, so pods do not run: the chain is a process beside them.
 */

const folder = mkdtempSync(join(tmpdir(), 'slipway-backup-'));
const hot = Buffer.alloc(32, 9).toString('base64');
const base = '/transaction/v1alpha1/transaction';

async function startCluster(files: string[]) {
  const environment = await startTestEnvironment({ crdFiles: files });
  const { kubeconfig } = environment;
  const kube = createKube({ kubeconfigPath: kubeconfig, log: silentLog, clock: systemClock });
  const isServed = () => kube.list(networkType).catch(() => undefined);
  // kube-apiserver refuses kinds for a moment after their definitions are established.
  if (files.length > 0) await eventually(isServed, Boolean);
  return { kube, kubeconfig, stop: () => kube.close().then(environment.stop) };
}
type Cluster = Awaited<ReturnType<typeof startCluster>>;
type Api = AccountsApi<KubeClient>;

const apiOver = ({ kube }: Cluster) =>
  accountsApiOver(kube, {
    users: [scene.user],
    upstreams: scene.upstreams,
    sealer: sceneSealer,
    namespace: system,
  });
const create = (api: Api) => {
  const body = { name: 'by-rest', spec: aNetwork().spec };
  return api.ask(ann.token, '/v1alpha/networks', { body, headers: { 'Idempotency-Key': 'one' } });
};
const submit = async ({ api }: Api) => {
  const items = [1, 2, 3].map((value) => {
    return { from: scene.wallet.address, to: `0x${'7e'.repeat(20)}`, data: '0x', value: String(value) };
  });
  const body = { transactions_by_network: { [chain]: items } };
  return (await api.request(`${base}/submit`, { body, headers: { 'Idempotency-Key': 'once' } })).json;
};
const documentOf = async ({ api }: Api) =>
  (await api.request(`${base}/recording/${before.recordingId}/document`)).json;

/** Sends transactions, which two recordings capture, and deploys a token; nothing runs afterwards. */
async function work(api: Api) {
  const { kube } = api;
  const stopOutbox = await startOutboxOperator({ kube, scene, serviceNamespace: system });
  const { id, url } = await scene.addNetwork('alpha');
  chain = id;
  const urls = new Map([['alpha', url]]);
  const recorder = await startRecordingOperator(kube, { namespace: scene.user.namespace, urls });
  const post = async (path: string, body: object) => (await api.api.request(`${base}${path}`, { body })).json;
  const subject = { userAddress: scene.wallet.address, networkIds: [id] };
  const { recordingId } = await post('/recording/start', subject);
  const other = await post('/recording/start', subject);
  const submission = await submit(api);
  const queues = { labelSelector: `${labels.role}=queue` };
  const isOpen = async () =>
    (await kube.list(outboxType, queues)).items.some((one) => batchesOf(one).length > 0);
  while (await isOpen()) await systemClock.sleep(20);
  for (const one of [recordingId, other.recordingId]) await post('/recording/stop', { recordingId: one });
  const deployments = [{ network_id: id, args: { total_supply: '1000000' } }];
  const token = await post('/token/erc20/deploy', { name: 'Example', symbol: 'EXM', deployments });
  // As the operator does when it begins.
  for (const { metadata } of (await kube.list(tokenType)).items) {
    await kube.patch(tokenType, metadata, { status: { deployments: [] } }, 'status');
  }
  await Promise.all([recorder.stop(), stopOutbox()]);
  return { submission, recordingId, token };
}

let from: Cluster;
let to: Cluster;
let other: Cluster;
let scene: ChainScene;
/** The id of the network with a chain. */
let chain: string;
let ann: Person;
let secretId: string;
let answer: Answer;
let before: Awaited<ReturnType<typeof work>>;
let document: Answer['json'];
let after: Api;
let output: string;
beforeAll(async () => {
  await ensureTools(['kubectl']);
  [from, to, other] = await Promise.all([
    startCluster(crdFiles()),
    startCluster([]),
    startCluster(crdFiles()),
  ]);
  await install(from.kube);
  scene = await createChainScene(from.kube);
  const marks = { [labels.workspace]: 'one', [labels.workspaceNamespace]: 'true' };
  for (const { metadata } of (await from.kube.list(namespaceType)).items) {
    if ([system, home].includes(metadata.name) || metadata.name.startsWith('kube-')) continue;
    await from.kube.patch(namespaceType, metadata, { metadata: { labels: marks } });
  }
  const api = await apiOver(from);
  ann = await api.join('ann@example.com', 'developer');
  secretId = (await api.post(ann.token, '/v1alpha/secrets', { name: 'hot-key', type: 'key', data: hot })).id;
  answer = await create(api);
  await from.kube.patch(networkType, { namespace: home, name: 'by-rest' }, { status: ran }, 'status');
  before = await work(api);
  document = await documentOf(api);
  await api.api.close();
  await makeWorld(from.kube);
  output = await follow('Back up', from.kubeconfig, folder);
  output += await follow('Restore', to.kubeconfig, folder);
  after = await apiOver(to);
});
afterAll(async () => {
  await after?.api.close();
  await scene?.stop();
  await Promise.all([from, to, other].map((cluster) => cluster?.stop()));
  rmSync(folder, { recursive: true });
});

const restoreInto = ({ kube }: Cluster, takesOver = false) => {
  const backup = unpackBackup(readFileSync(join(folder, 'slipway.backup')), passphrase);
  return restore({ kube, backup, takesOver });
};

/** The URLs of a network with rotated keys. */
async function urlsIn(kube: Kube) {
  const network = await kube.get(networkType, { namespace: home, name: 'net' });
  const rotated = await kube.get(keyEpochsType, { namespace: home, name: keyEpochsName });
  if (!network) throw new Error('the network is missing');
  const caches = {
    keyEpochs: { get: () => rotated, observe: () => undefined },
    networks: { byIndex: () => [] },
  };
  const keptKeys = createKeyEpochs({ kube, caches }).keptFor(network);
  const accessKeys = parseKeyring(keys['access-keys'], 'access-keys');
  const facts = { network, installation: anInstallation(), accessKeys, keptKeys };
  return (['public', 'admin'] as const).map((access) => endpointsOf(['rpc'], access, facts));
}

it('every object is there once, with its id', async () => {
  const ids = await idsIn(to.kube);
  expect(ids).toEqual(await idsIn(from.kube));
  const ofKubernetes = [`Namespace/undefined/${home}`, `ConfigMap/${home}/part`];
  expect(Object.keys(ids)).toEqual(expect.arrayContaining(ofKubernetes));
});

it('URLs and owners are those of before', async () => {
  expect(await urlsIn(to.kube)).toEqual(await urlsIn(from.kube));
  // The chart has added its own Secrets.
  expect(await linksIn(to.kube)).toMatchObject(await linksIn(from.kube));
  expect(await originsIn(to.kube)).toEqual(await originsIn(from.kube));
});

it('the API keys of users work, and nobody else gets in', async () => {
  expect((await after.ask(ann.token, '/me')).json.user.id).toBe(ann.userId);
  expect((await after.ask(`${ann.token}x`, '/me')).status).toBe(401);
});

it('a secret opens for its owner', async () => {
  expect((await after.get(ann.token, `/v1alpha/secrets/${secretId}`)).data).toBe(hot);
});

it('a repeated Idempotency-Key gets the answer of the first request, and sends nothing', async () => {
  const { status, json } = await create(after);
  expect([answer.status, status]).toEqual([201, 201]);
  expect(json).toEqual(answer.json);
  expect(await submit(after)).toEqual(before.submission);
});

it('each transaction is found by its hash, on the network with the id of before', async () => {
  const hashes: string[] = before.submission.tx_hashes_by_network[chain];
  expect(hashes).toHaveLength(3);
  for (const hash of hashes) {
    const { json } = await after.api.request(`/v1alpha1/transaction/submissions/${hash}`);
    expect(json).toMatchObject({ hash, state: 'mined', network_id: chain });
  }
});

it('a token keeps its id and its deployment', async () => {
  const { json } = await after.api.request('/v1alpha1/transaction/token');
  expect(json.items).toMatchObject([
    { id: before.token.id, symbol: 'EXM', deployments: [{ network_id: chain }] },
  ]);
});

it('a recording has the document of before', async () => {
  expect(document.networks[chain].transactions).toHaveLength(3);
  expect(await documentOf(after)).toEqual(document);
});

it('an installation is left alone, and the message names what to do', async () => {
  const asBefore = await idsIn(from.kube);
  await expect(restoreInto(from, true)).rejects.toThrow(
    `Slipway is installed in the namespace ${system}, and would change what is half restored. A backup is restored before that`,
  );
  expect(await idsIn(from.kube)).toEqual(asBefore);
});

/** The volume of a chain, as another tool restores it. */
async function placeVolume() {
  const network = await from.kube.get(networkType, { namespace: home, name: 'by-rest' });
  if (!network) throw new Error('the network is missing');
  const metadata = { namespace: home, name: `by-rest-rpc-data-${engineIncarnationOf(network)}` };
  const resources = { requests: { storage: '1Gi' } };
  const spec = { accessModes: ['ReadWriteOnce'], resources };
  return other.kube.create(persistentVolumeClaimType, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec,
  });
}

it('what another tool restored has its ids and URLs, and gets the rest where that is asked for', async () => {
  await restorePlainly(from.kube, other.kube);
  expect(await idsIn(other.kube)).toEqual(await idsIn(from.kube));
  expect(await urlsIn(other.kube)).toEqual(await urlsIn(from.kube));
  await expect(restoreInto(other)).rejects.toThrow('TAKE_OVER=yes');
  const volume = await placeVolume();
  await restoreInto(other, true);
  const now = await other.kube.get(networkType, { namespace: home, name: 'by-rest' });
  expect(now?.status).toMatchObject({ storage: 'Volume', incarnation: { number: 0 }, enclaveID: 'former' });
  const claim = await other.kube.get(persistentVolumeClaimType, volume.metadata);
  const { uid } = volume.metadata;
  const ownerReferences = [expect.objectContaining({ uid: now?.metadata.uid, controller: true })];
  expect(claim).toMatchObject({ metadata: { uid, ownerReferences }, spec: volume.spec });
  expect(await idsIn(other.kube)).toEqual(await idsIn(from.kube));
  expect(await linksIn(other.kube)).toEqual(await linksIn(from.kube));
});

it('a repeated restore adds nothing', async () => {
  await restoreInto(other);
  expect(await idsIn(other.kube)).toEqual(await idsIn(from.kube));
  expect(await linksIn(other.kube)).toEqual(await linksIn(from.kube));
});

it('the chart that is installed afterwards takes the definitions of kinds and the first workspace as its own', async () => {
  const skipReason = helmSkipReason();
  if (skipReason) return console.warn(skipReason);
  const { items } = await to.kube.list(resourceType('apps/v1', 'Deployment'), { namespace: system });
  expect(items.map(({ metadata }) => metadata.name)).toContain('slipway-operator');
  const first = await to.kube.get(namespaceType, { name: home });
  expect(first?.metadata.labels?.['helm.sh/chart']).toMatch(/^slipway-0\.[1-9]/);
});

it('networks begin a new chain without an error, and say that the former one ended', async () => {
  expect(output).toContain('networks that come back with a new chain: ');
  expect(output).toContain(`${home}/by-rest`);
  const deps = { references: createReferenceReader(sceneSealer) };
  const operator = startOperator({ kube: to.kube, namespace: home, deps });
  try {
    const isSeen = ({ status }: NetworkResource) => status?.message !== 'restored from a backup';
    const network = await operator.reach('by-rest', isSeen);
    expect(network.status).toMatchObject({
      state: 'Pending',
      incarnation: { number: 1 },
      previousChain: { enclaveID: 'former', reason: 'the backup has no copy of its data' },
    });
    const isOurs = (pod: Pod) => pod.metadata.labels?.[labels.network] === answer.json.id;
    expect(await operator.caches.pods.waitFor(isOurs, { timeoutMs: 120_000 })).toBeDefined();
  } finally {
    await operator.stop();
  }
});
