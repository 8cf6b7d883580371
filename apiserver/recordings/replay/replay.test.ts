import { jest } from '@jest/globals';
import { Interface, MaxUint256 } from 'ethers';
import { aNetwork } from '../../../core/api/builders.ts';
import type { ReplayDocument } from '../../../core/api/replay.ts';
import { networkType } from '../../../core/api/resources.ts';
import type { TransactionItem } from '../../../core/api/transaction.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/fake.ts';
import { awaitReceipts } from '../../../core/transactions/receipts.ts';
import { createEvmRpc } from '../../../core/transactions/rpc.ts';
import { artifact, creationOf } from '../../../core/transactions/testing/contracts.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
  sceneSealer,
} from '../../../core/transactions/testing/scene.ts';
import {
  type RecordingOperator,
  startRecordingOperator,
} from '../../../operator/recording/testing/operator.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';

jest.setTimeout(60_000);

const base = '/transaction/v1alpha1/transaction';
const unknownId = '00000000-0000-4000-8000-000000000000';
const stranger = `0x${'7e'.repeat(20)}`;
const erc20 = new Interface(artifact('Token').abi);
const urls = new Map<string, string>();

let kube: FakeKube;
let scene: ChainScene;
let api: TestApi;
let operator: RecordingOperator;
let source: SceneNetwork;
let recordingId: string;
beforeAll(async () => {
  kube = createFakeKube();
  scene = await createChainScene(kube);
  const { userId, namespace, workspaceId } = scene.user;
  const ben = { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' };
  const vic = { ...{ workspaceId, namespace }, userId: 'vic', role: 'viewer' as const };
  api = await startTestApi({
    kube,
    users: [{ userId, namespace, workspaceId }, ben, vic],
    upstreams: scene.upstreams,
    sealer: sceneSealer,
  });
  operator = await startRecordingOperator(kube, { namespace, urls });
  source = await addNetwork('source');
  recordingId = await recordDeployment();
});
afterAll(async () => {
  await operator.stop();
  await api.close();
  await scene.stop();
});

async function addNetwork(name: string): Promise<SceneNetwork> {
  const network = await scene.addNetwork(name);
  urls.set(name, network.url);
  return network;
}

async function submit(items: Partial<TransactionItem>[]) {
  const common = { from: scene.wallet.address, value: '0', data: '0x' };
  const whole = items.map((item) => ({ ...common, ...item }));
  const { json } = await api.request(`${base}/submit`, {
    body: { transactions_by_network: { [source.id]: whole } },
  });
  const hashes: string[] = json.tx_hashes_by_network[source.id];
  return awaitReceipts(createEvmRpc({ url: source.url }), hashes, { timeoutMs: 10_000 });
}

/** A token and what its owner does with it, all over REST. */
async function recordDeployment(): Promise<string> {
  const body = { userAddress: scene.wallet.address, networkIds: [source.id] };
  const started = await api.request(`${base}/recording/start`, { body });
  expect([started.status, started.json.message]).toEqual([201, 'recording']);
  const [created] = await submit([
    { data: await creationOf('Token', ['T', 'T', 1000n, scene.wallet.address]) },
  ]);
  const to = created?.contract ?? '';
  const give = erc20.encodeFunctionData('transfer', [stranger, 5n]);
  const tooMuch = erc20.encodeFunctionData('transfer', [stranger, MaxUint256]);
  await submit([
    { to, data: give },
    { to, data: tooMuch, gas_limit: 90_000 },
    { to: stranger, value: '7' },
  ]);
  const stopped = await api.request(`${base}/recording/stop`, {
    body: { recordingId: started.json.recordingId },
  });
  expect([stopped.status, stopped.json.state]).toEqual([200, 'recorded']);
  return started.json.recordingId;
}

const replay = (body: object, options: object = {}) =>
  api.request(`${base}/recording/replay`, { body, ...options });
const documentOf = async (): Promise<ReplayDocument> =>
  (await api.request(`${base}/recording/${recordingId}/document`)).json;
const balanceOf = async (network: SceneNetwork, token: string, account: string) => {
  const data = erc20.encodeFunctionData('balanceOf', [account]);
  return BigInt(
    String(await createEvmRpc({ url: network.url }).call('eth_call', [{ to: token, data }, 'latest'])),
  );
};
const countOf = async ({ url }: SceneNetwork) =>
  Number(await createEvmRpc({ url }).call('eth_getTransactionCount', [scene.wallet.address, 'pending']));

it('a recording is replayed on another network, and every transaction matches', async () => {
  const target = await addNetwork('target');
  const { status, json } = await replay({ recordingId, networkMapping: { [source.id]: target.id } });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    success: true,
    networks: [target.id],
    totalTransactions: 4,
    appliedNetworkMapping: { [source.id]: target.id },
  });
  const transactions = json.transactions[target.id];
  expect(
    transactions.map(({ status: state, match }: { status: string; match: boolean }) => [state, match]),
  ).toEqual([
    ['success', true],
    ['success', true],
    ['reverted', true],
    ['success', true],
  ]);
  const token = transactions[0].contract_address;
  expect(await balanceOf(target, token, stranger)).toBe(5n);
  expect(await balanceOf(target, token, scene.wallet.address)).toBe(995n);
});

it('a document is replayed on the network that it names, on top of what is there', async () => {
  const replayDocument = await documentOf();
  const { json } = await replay({ replayDocument });
  expect(json).toMatchObject({ success: true, networks: [source.id], totalTransactions: 4 });
});

it('a dry run tells the plan, and sends nothing', async () => {
  const before = await countOf(source);
  const { status, json } = await replay({ recordingId, dryRun: true });
  expect(status).toBe(200);
  expect(json).toMatchObject({ success: true, totalTransactions: 4, networks: [source.id] });
  expect(json.transactions[source.id][0]).toMatchObject({ status: 'skipped', match: false });
  expect(await countOf(source)).toBe(before);
});

it('who repeats a replay under its Idempotency-Key gets the same outcome, and nothing is sent twice', async () => {
  const before = await countOf(source);
  const headers = { 'Idempotency-Key': 'again' };
  const [one, two] = [await replay({ recordingId }, { headers }), await replay({ recordingId }, { headers })];
  expect(two.json).toEqual(one.json);
  expect(await countOf(source)).toBe(before + 4);
});

it('a network that cannot be used is told of transaction by transaction, and keeps no other back', async () => {
  const document = await documentOf();
  const target = await addNetwork('good');
  const dead = await scene.addNetwork('dead', { upstream: { host: '127.0.0.1', port: 1 } });
  const networks = { a: document.networks[source.id], b: document.networks[source.id] };
  const networkMapping = { a: target.id, b: dead.id };
  const { status, json } = await replay({ replayDocument: { ...document, networks }, networkMapping });
  expect(status).toBe(200);
  expect(json.success).toBe(false);
  expect(json.transactions[target.id].every(({ match }: { match: boolean }) => match)).toBe(true);
  expect(json.transactions[dead.id]).toHaveLength(4);
  expect(json.transactions[dead.id][3]).toMatchObject({
    status: 'skipped',
    match: false,
    differences: [expect.stringMatching(/^not sent: .*(reached|starting)/)],
  });
});

describe('is refused, with the place,', () => {
  it.each<[string, () => Promise<object>, number, string]>([
    ['an unknown recording', async () => ({ recordingId: unknownId }), 404, ''],
    [
      'an unknown target',
      async () => ({ recordingId, networkMapping: { [source.id]: unknownId } }),
      404,
      'networkMapping.',
    ],
    [
      'a target of another workspace',
      async () => {
        const { metadata } = kube.seed(networkType, aNetwork({ name: 'theirs', namespace: 'ws-two' }));
        return { recordingId, networkMapping: { [source.id]: metadata.uid } };
      },
      404,
      'networkMapping.',
    ],
    [
      'a target that is no EVM',
      async () => {
        const spec = { chain: { type: 'Thorchain', thorchain: {} } } as const;
        const network = aNetwork({ name: 'rune', namespace: scene.user.namespace });
        const { metadata } = kube.seed(networkType, { ...network, spec });
        return { recordingId, networkMapping: { [source.id]: metadata.uid } };
      },
      400,
      'networkMapping.',
    ],
    [
      'a mapping of what was not recorded',
      async () => ({ recordingId, networkMapping: { [unknownId]: source.id } }),
      400,
      `networkMapping.${unknownId}`,
    ],
    [
      'two networks onto one',
      async () => {
        const document = await documentOf();
        const networks = { a: document.networks[source.id], b: document.networks[source.id] };
        return { replayDocument: { ...document, networks }, networkMapping: { a: source.id, b: source.id } };
      },
      400,
      'networkMapping.b',
    ],
    [
      'a document in another order',
      async () => {
        const document = await documentOf();
        const network = document.networks[source.id];
        const transactions = network?.transactions.toReversed();
        return { replayDocument: { ...document, networks: { [source.id]: { ...network, transactions } } } };
      },
      400,
      'replayDocument.networks.',
    ],
    [
      'a document with a wrong value',
      async () => {
        const text = JSON.stringify(await documentOf()).replace('"nonce":0', '"nonce":-1');
        return { replayDocument: JSON.parse(text) };
      },
      400,
      'replayDocument.networks.',
    ],
    [
      'a document of another version',
      async () => ({ replayDocument: { ...(await documentOf()), version: 'v9' } }),
      400,
      'replayDocument.version',
    ],
    ['nothing', async () => ({}), 400, 'recordingId'],
    ['both', async () => ({ recordingId, replayDocument: await documentOf() }), 400, 'recordingId'],
  ])('%s', async (_reason, bodyOf, expected, path) => {
    const before = await countOf(source);
    const { status, json } = await replay(await bodyOf());
    expect([status, json.details?.[0]?.path ?? '']).toEqual([expected, expect.stringContaining(path)]);
    expect(await countOf(source)).toBe(before);
  });

  it('who may not send transactions', async () => {
    expect((await replay({ recordingId }, { as: 'vic' })).status).toBe(403);
  });

  it('a recording of another workspace, as one that does not exist', async () => {
    expect((await replay({ recordingId }, { as: 'ben' })).status).toBe(404);
  });

  it('a caller without a default key', async () => {
    const document = await documentOf();
    const { metadata } = kube.seed(networkType, aNetwork({ name: 'ben', namespace: 'ws-two' }));
    const networkMapping = { [source.id]: metadata.uid };
    const { status, json } = await replay({ replayDocument: document, networkMapping }, { as: 'ben' });
    expect([status, json.message]).toEqual([400, expect.stringContaining('default-key')]);
  });
});
