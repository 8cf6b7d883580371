import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import { labels } from '../../core/api/names.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { type ChainScene, createChainScene, sceneSealer } from '../../core/outbox/testing/scene.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';
import { startRecordingOperator } from '../../operator/recording/testing/operator.ts';
import { collect } from './collect.ts';
import { packBackup, unpackBackup } from './contents.ts';
import { restore } from './restore.ts';
import { install } from './testing/installation.ts';
import { home, system } from './testing/world.ts';

/** What users recorded, deployed and sent on a real chain, over REST before and after a restore. */

const base = '/transaction/v1alpha1/transaction';
let scene: ChainScene;
let network: string;
let before: Awaited<ReturnType<typeof work>>;
let after: TestApi;

const apiOver = (kube: FakeKube) =>
  startTestApi({ kube, users: [scene.user], upstreams: scene.upstreams, sealer: sceneSealer });
const submit = (api: TestApi) => {
  const items = [1, 2, 3].map((value) => {
    return { from: scene.wallet.address, to: `0x${'7e'.repeat(20)}`, data: '0x', value: String(value) };
  });
  const headers = { 'Idempotency-Key': 'once' };
  return api.request(`${base}/submit`, { body: { transactions_by_network: { [network]: items } }, headers });
};
const documentOf = async (api: TestApi, id: string) =>
  (await api.request(`${base}/recording/${id}/document`)).json;

/** Records three transactions and deploys a token; nothing runs afterwards. */
async function work(kube: FakeKube) {
  const stopOutbox = await startOutboxOperator({ kube, scene, serviceNamespace: system });
  const { id, url } = await scene.addNetwork('alpha');
  network = id;
  const urls = new Map([['alpha', url]]);
  const recorder = await startRecordingOperator(kube, { namespace: scene.user.namespace, urls });
  const api = await apiOver(kube);
  const post = async (path: string, body: object) => (await api.request(`${base}${path}`, { body })).json;
  const { recordingId } = await post('/recording/start', {
    userAddress: scene.wallet.address,
    networkIds: [id],
  });
  const { json: submission } = await submit(api);
  const queues = { labelSelector: `${labels.role}=queue` };
  const isOpen = async () =>
    (await kube.list(outboxType, queues)).items.some((one) => batchesOf(one).length > 0);
  while (await isOpen()) await systemClock.sleep(20);
  await post('/recording/stop', { recordingId });
  const deployment = { network_id: id, args: { total_supply: '1000000' } };
  const token = await post('/token/erc20/deploy', {
    name: 'Example',
    symbol: 'EXM',
    deployments: [deployment],
  });
  const document = await documentOf(api, recordingId);
  await Promise.all([api.close(), recorder.stop(), stopOutbox()]);
  return { submission, recordingId, document, token };
}

beforeAll(async () => {
  const cluster = () => install(createFakeKube({ isCollectingGarbage: true, requiresNamespaces: true }));
  const [source, target] = await Promise.all([cluster(), cluster()]);
  scene = await createChainScene(source);
  for (const { metadata } of (await source.list(namespaceType)).items) {
    if ([system, home].includes(metadata.name)) continue;
    await source.patch(namespaceType, metadata, { metadata: { labels: { [labels.workspace]: 'one' } } });
  }
  before = await work(source);
  const options = { kube: source, namespace: system, version: '0.5.0', saveVolumes: async () => [] };
  const backup = unpackBackup(packBackup(await collect(options)));
  await restore({ kube: target, backup, say: () => undefined });
  after = await apiOver(target);
});
afterAll(async () => {
  await after?.close();
  await scene?.stop();
});

it('each transaction is found by its hash, on the network with the id of before', async () => {
  const hashes: string[] = before.submission.tx_hashes_by_network[network];
  expect(hashes).toHaveLength(3);
  for (const hash of hashes) {
    const { json } = await after.request(`/v1alpha1/transaction/submissions/${hash}`);
    expect(json).toMatchObject({ hash, state: 'mined', network_id: network });
  }
});

it('a repeated Idempotency-Key gets the hashes of before, and sends nothing', async () => {
  const { json } = await submit(after);
  expect(json).toEqual(before.submission);
});

it('a token keeps its id and its deployment', async () => {
  const { json } = await after.request('/v1alpha1/transaction/token');
  expect(json.items).toMatchObject([{ id: before.token.id, symbol: 'EXM' }]);
  expect(json.items[0].deployments).toMatchObject([{ network_id: network }]);
});

it('a recording has the document of before', async () => {
  expect(before.document.networks[network].transactions).toHaveLength(3);
  expect(await documentOf(after, before.recordingId)).toEqual(before.document);
});
