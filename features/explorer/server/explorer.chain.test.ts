import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AbiCoder } from 'ethers';
import { noBudgetMetrics } from '../../../apiserver/http/limits/budgetMetrics.ts';
import { createMemoryBudget } from '../../../apiserver/http/limits/memoryBudget.ts';
import { startTestApi, type TestApi, type TestUser } from '../../../apiserver/testing/harness.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { networkType, tokenType } from '../../../core/api/resources/resources.ts';
import { aNetwork, aToken } from '../../../core/api/testing/builders.ts';
import { callRpc } from '../../../core/chains/evm/testing/startAnvil.ts';
import { type PlainAnvil, startPlainAnvil } from '../../../core/evm/testing/plainAnvil.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { watchEventLoop } from '../../../core/lib/testing/eventLoop.ts';
import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';

const common = { workspaceId: 'one', namespace: 'ws-one' };
const users: TestUser[] = [
  { userId: 'ann', ...common },
  { userId: 'vic', role: 'viewer', ...common },
  { userId: 'key', permissions: ['tokens:read'], ...common },
  { userId: 'eve', workspaceId: 'two', namespace: 'ws-two' },
];
const running: NetworkStatus = { state: 'Operational', enclaveID: 'a-1' };

let anvil: PlainAnvil;
beforeAll(async () => {
  tokenContractsForTests();
  anvil = await startPlainAnvil(['--no-mining']);
});
afterAll(() => anvil?.close());

let kube: FakeKube;
let api: TestApi;
const upstreams = {
  find: (_uid: string, port: string) => (port === 'rpc' ? { host: anvil.host, port: anvil.port } : undefined),
  onChange: () => () => {},
};
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users, upstreams });
});
afterEach(() => api.close());

const seed = (status: NetworkStatus = running, spec: object = {}) =>
  kube.seed(networkType, aNetwork({ name: 'a', namespace: 'ws-one', status, spec })).metadata.uid;
const path = (uid: string) => `/v1alpha/networks/${uid}/chain`;
const read = (uid: string, body: object, as = 'ann') => api.request(path(uid), { body, as });
const reads = (...calls: [string, ...unknown[]][]) => ({
  reads: calls.map(([method, ...params]) => ({ method, params })),
});

const firstAccount = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('what holds at the public URL', () => {
  it('bounds the gas of a call that never ends', async () => {
    const loop: string = `0x${'77'.repeat(20)}`;
    const call = { to: loop, gas: '0xffffffffffffff' };
    const overrides = { [loop]: { code: '0x5b600056' } };
    const { json } = await read(seed(), reads(['eth_call', call, 'latest', overrides]));
    expect(json.answers[0].error.message).toContain('OutOfGas');
  });

  it('says that a transaction is not there, instead of a trace without steps', async () => {
    const tracer = { tracer: 'callTracer' };
    const { json } = await read(seed(), reads(['debug_traceTransaction', `0x${'ab'.repeat(32)}`, tracer]));
    expect(json.answers).toEqual([{ error: { code: -32000, message: 'transaction not found' } }]);
  });

  it('answers the error of a node without the URL that it forks', async () => {
    const url = 'https://eth.example/v2/secret-key';
    const node = createServer(async (request, response) => {
      const asked = JSON.parse(await text(request));
      const refused = ({ id }: { id: number }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32603, message: `error sending request for url (${url})` },
      });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(refused) : refused(asked)));
    });
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
    const { port } = node.address() as AddressInfo;
    const forked = { find: () => ({ host: '127.0.0.1', port }), onChange: () => () => {} };
    const own = await startTestApi({ kube, users, upstreams: forked });
    const fork = { chain: { type: 'Base', base: { forking: { enabled: true } } } };
    const call = { from: firstAccount, to: firstAccount, value: '0x1' };
    const body = reads(
      ['eth_estimateGas', call],
      ['debug_traceTransaction', `0x${'ab'.repeat(32)}`, { tracer: 'callTracer' }],
    );
    const answer = await own.request(path(seed(running, fork)), { body, as: 'ann' });
    expect(answer.json.answers.map(({ error }: { error?: { message: string } }) => error?.message)).toEqual([
      expect.stringContaining('error sending request'),
      expect.stringContaining('error sending request'),
    ]);
    expect(JSON.stringify(answer.json)).not.toContain('secret-key');
    await own.close();
    node.closeAllConnections();
    node.close();
  });

  it('refuses what the engine would answer wrongly, with the reason', async () => {
    const filter = { fromBlock: '0x0', toBlock: '0x0', address: firstAccount };
    const { json } = await read(seed(), reads(['eth_getBlockReceipts', 'pending'], ['eth_getLogs', filter]));
    expect(json.answers).toMatchObject([
      { error: { message: expect.stringContaining('has no receipts') } },
      { result: [] },
    ]);
  });
});

it('answers each call in order, those that fail with their own error', async () => {
  const { status, json } = await read(
    seed(),
    reads(
      ['eth_getBalance', firstAccount, 'latest'],
      ['eth_getBlockByNumber', 'nonsense', false],
      ['eth_chainId'],
    ),
  );
  expect(status).toBe(200);
  expect(json).toMatchObject({ kind: 'ChainAnswers', enclaveID: 'a-1', contracts: [] });
  const [balance, failure, chainId] = json.answers;
  expect(BigInt(balance.result)).toBe(10_000n * 10n ** 18n);
  expect(failure.error).toMatchObject({ code: -32602, message: expect.any(String) });
  expect(chainId).toEqual({ result: '0x7a69' });
});

it('a call that reverts with a long reason has the beginning of it, and keeps nobody waiting', async () => {
  const to = `0x${'00'.repeat(19)}e1`;
  const reason = AbiCoder.defaultAbiCoder().encode(['string'], [`://${'a.'.repeat(100_000)}`]);
  // Reverts with what it is called with.
  const overrides = { [to]: { code: '0x366000600037366000fd' } };
  const call = { to, data: `0x08c379a0${reason.slice(2)}` };
  const watch = watchEventLoop();
  const { json } = await read(seed(), reads(['eth_call', call, 'latest', overrides]), 'vic');
  expect(watch.longestMs()).toBeLessThan(500);
  const [{ error }] = json.answers;
  expect(error.message).toMatch(/^execution reverted: :\/\/\(redacted\)…$/);
});

it.each(['vic', 'ann'])('%s may read, with the permission to see networks', async (as) => {
  expect((await read(seed(), reads(['eth_chainId']), as)).status).toBe(200);
});

it.each([
  ['key', 403, 'another permission'],
  ['eve', 404, 'another workspace'],
])('%s gets %i: %s', async (as, status) => {
  const uid = seed();
  expect((await read(uid, reads(['eth_chainId']), as)).status).toBe(status);
  expect((await api.request(`/v1alpha/networks/${uid}/blocks`, { as })).status).toBe(status);
});

it.each([
  ['sends', 'eth_sendRawTransaction', []],
  ['mines', 'evm_mine', []],
  ['changes a balance', 'anvil_setBalance', []],
  ['leaves a filter in the node', 'eth_newBlockFilter', []],
  ['names the source of a fork', 'anvil_nodeInfo', []],
  ['records single steps', 'debug_traceTransaction', ['0x00']],
  ['runs a program of the caller', 'debug_traceTransaction', ['0x00', { tracer: '{step(){}}' }]],
  [
    'searches blocks without an end',
    'eth_getLogs',
    [{ fromBlock: '0x0', toBlock: 'latest', topics: ['0x1'] }],
  ],
  ['searches too many blocks', 'eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1388', topics: ['0x1'] }]],
  ['searches for everything', 'eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1', topics: [null] }]],
  ['searches for everything', 'eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1', topics: [[]] }]],
  ['searches for everything', 'eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1', topics: [[null]] }]],
  ['searches for everything', 'eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1', address: [] }]],
  ['is of another family', 'getBlock', [1]],
  ['is a path of the REST interface', 'GET /cosmos/tx/v1beta1/txs/AB', []],
])('refuses a method that %s: %s', async (_reason, method, params) => {
  const { status, json } = await read(seed(), { reads: [{ method: 'eth_chainId' }, { method, params }] });
  expect(status).toBe(400);
  expect(json.details).toEqual([
    { path: 'reads[1].method', message: expect.stringContaining(method.split(' ')[0] ?? '') },
  ]);
  expect(json.message).toBe(`nothing was read: reads[1].method: ${json.details[0].message}`);
});

describe('the REST interface of a Thorchain network', () => {
  const thorchain = () => seed(running, { chain: { type: 'Thorchain', thorchain: {} } });

  it.each([
    'GET /cosmos/bank/v1beta1/balances/../../tx',
    'GET /thorchain/nodes',
    'GET http://elsewhere/cosmos/tx/v1beta1/txs/AB',
    'POST /cosmos/tx/v1beta1/txs',
  ])('is not read by %s', async (method) => {
    expect((await read(thorchain(), { reads: [{ method }] })).status).toBe(400);
  });

  it('may be away while the other interface answers', async () => {
    const method = 'GET /cosmos/bank/v1beta1/balances/tthor1abc';
    const { json } = await read(thorchain(), { reads: [{ method }] });
    expect(json.answers).toEqual([{ error: { message: expect.stringContaining('no REST interface') } }]);
  });
});

describe('a network that does not run', () => {
  it.each(['Stopped', 'Stopping', 'Pending', 'Error'] as const)(
    '%s: refused, and left as it is',
    async (state) => {
      const uid = seed({ state, enclaveID: 'a-1' });
      const answers = [
        await read(uid, reads(['eth_chainId'])),
        await api.request(`/v1alpha/networks/${uid}/blocks`),
      ];
      for (const { status, json } of answers) {
        expect([status, json.message]).toEqual([409, expect.stringContaining(`the network is ${state}`)]);
      }
      expect(changes()).toEqual([]);
    },
  );

  it('names contracts all the same', async () => {
    const uid = seed({ state: 'Stopped', enclaveID: 'a-1' });
    const { status, json } = await read(uid, { contracts: [firstAccount] });
    expect([status, json.answers, json.contracts]).toEqual([200, [], []]);
  });
});

/** What the API wrote. */
const changes = () =>
  kube.requests.filter(({ verb, kind }) => !['get', 'list', 'watch'].includes(verb) && kind !== 'Namespace');

it('neither wakes nor counts as activity, and leaves no record of an Idempotency-Key', async () => {
  const uid = seed({ ...running, lastActivityAt: '2020-01-01T00:00:00Z' });
  const headers = { 'Idempotency-Key': 'one' };
  for (const method of ['eth_chainId', 'eth_blockNumber']) {
    expect((await api.request(path(uid), { body: reads([method]), headers })).status).toBe(200);
  }
  const stream = await openBlocks(uid);
  await stream.next();
  await stream.leave();
  await new Promise((resolve) => setImmediate(resolve));
  expect(changes()).toEqual([]);
  expect(api.audits).toEqual([]);
});

it.each([
  ['51 calls', { reads: Array.from({ length: 51 }, () => ({ method: 'eth_chainId' })) }],
  ['21 addresses', { contracts: Array.from({ length: 21 }, () => firstAccount) }],
  ['an address that is none', { contracts: ['0x12'] }],
  ['another member', { calls: [] }],
])('refuses %s', async (_what, body) => {
  expect((await read(seed(), body)).status).toBe(400);
});

it('counts answers as memory of the account, and refuses what does not fit', async () => {
  await api.close();
  const memory = createMemoryBudget({ maxBytes: 2_000, metrics: noBudgetMetrics });
  api = await startTestApi({ kube, users, upstreams, limits: { memory } });
  const calls = Array.from(
    { length: 50 },
    () => ['eth_getBlockByNumber', '0x0', true] as [string, ...unknown[]],
  );
  const { status, json } = await read(seed(), reads(...calls));
  expect([status, json.message]).toEqual([503, expect.stringContaining('requestMemoryMiB')]);
});

it('names contracts of tokens of the workspace on this chain, with their ABIs', async () => {
  const uid = seed();
  const at = (digit: string) => `0x${digit.repeat(40)}`;
  const deployment = { network: 'a', networkID: uid, state: 'Deployed' as const };
  const seedToken = (name: string, more: object, status: object) =>
    kube.seed(tokenType, {
      ...aToken({ name, namespace: 'ws-one' }),
      status: { deployments: [{ ...deployment, enclaveID: 'a-1', ...status }] },
      ...more,
    });
  seedToken('mine', {}, { tokenAddress: at('a') });
  seedToken('lost', {}, { tokenAddress: at('b'), enclaveID: 'a-0' });
  const { json } = await read(uid, { contracts: [at('A'), at('b'), at('c')] });
  expect(json.contracts).toHaveLength(1);
  const [named] = json.contracts;
  expect(named).toMatchObject({
    address: at('A'),
    name: 'CappedToken',
    origin: 'token',
    token: { role: 'token' },
  });
  expect(named.abi.map((one: { name?: string }) => one.name)).toEqual(
    expect.arrayContaining(['transfer', 'Transfer', 'cap']),
  );
});

/** Follows the blocks; `next` resolves with the data of the next event, or undefined at the end. */
async function openBlocks(uid: string) {
  const response = await fetch(`${api.url}/v1alpha/networks/${uid}/blocks`, {
    headers: { 'X-API-Key-ID': 'ann', 'X-API-Key-Secret': 'secret-of-ann' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const found = /data: (.*)\n\n/.exec(text);
        if (found?.[1] !== undefined) {
          text = text.slice(found.index + found[0].length);
          return JSON.parse(found[1]);
        }
        const part = await reader?.read();
        if (!part || part.done) return undefined;
        text += part.value;
      }
    },
    leave: () => reader?.cancel(),
  };
}

const mine = () => callRpc(anvil.url, 'evm_mine');

it('streams the newest block, and each later one', async () => {
  const stream = await openBlocks(seed());
  const first = await stream.next();
  expect(first).toEqual({
    enclaveID: 'a-1',
    number: expect.stringMatching(/^\d+$/),
    hash: expect.any(String),
  });
  await mine();
  expect(await stream.next()).toMatchObject({ number: String(Number(first.number) + 1) });
  await stream.leave();
});

it('says that the chain went back, which the node does not announce', async () => {
  const snapshot = await callRpc(anvil.url, 'evm_snapshot');
  const stream = await openBlocks(seed());
  const before = await stream.next();
  await mine();
  const mined = await stream.next();
  await callRpc(anvil.url, 'evm_revert', snapshot);
  expect([mined, await stream.next()]).toEqual([
    { enclaveID: 'a-1', number: String(Number(before.number) + 1), hash: expect.any(String) },
    before,
  ]);
  await stream.leave();
});

it('ends with the newest block for who does not follow', async () => {
  const answer = await api.request(`/v1alpha/networks/${seed()}/blocks?follow=false`);
  expect(answer.text).toMatch(/^: blocks\n\ndata: .*"number":"\d+".*\n\n$/);
});

it.each([
  ['stops', { state: 'Stopped' as const }],
  ['begins another chain', { enclaveID: 'a-2' }],
])('ends the stream when the network %s', async (_what, change) => {
  const stream = await openBlocks(seed());
  await stream.next();
  await kube.patch(networkType, { namespace: 'ws-one', name: 'a' }, { status: change }, 'status');
  expect(await stream.next()).toBeUndefined();
});

it('ends streams when the service drains', async () => {
  const stream = await openBlocks(seed());
  await stream.next();
  api.endStreams();
  expect(await stream.next()).toBeUndefined();
});
