import { Interface } from 'ethers';
import { startTestApi, type TestApi, type TestUser } from '../../../../apiserver/testing/harness.ts';
import type { NetworkStatus } from '../../../../core/api/resources/networkStatus.ts';
import { networkType } from '../../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../../core/api/testing/builders.ts';
import { callRpc } from '../../../../core/chains/evm/testing/startAnvil.ts';
import { type PlainAnvil, startPlainAnvil } from '../../../../core/evm/testing/plainAnvil.ts';
import { createFakeKube, type FakeKube } from '../../../../core/kube/testing/fake/fake.ts';

const users: TestUser[] = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'eve', workspaceId: 'two', namespace: 'ws-two' },
];
const running: NetworkStatus = { state: 'Operational', enclaveID: 'a-1' };
const [ann, bob, cat] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  `0x${'b0'.repeat(20)}`,
  `0x${'ca'.repeat(20)}`,
];
const zero = `0x${'0'.repeat(40)}`;

let anvil: PlainAnvil;
let kube: FakeKube;
let api: TestApi;
let id: string;
beforeEach(async () => {
  anvil = await startPlainAnvil([]);
  kube = createFakeKube();
  const upstreams = {
    find: (_uid: string, port: string) =>
      port === 'rpc' ? { host: anvil.host, port: anvil.port } : undefined,
    onChange: () => () => {},
  };
  api = await startTestApi({ kube, users, upstreams });
  id = seed();
});
afterEach(() => Promise.all([api.close(), anvil.close()]));

function seed(status = running, spec = {}): string {
  return kube.seed(
    networkType,
    aNetwork({ name: `n${Math.random()}`.replace('.', ''), namespace: 'ws-one', status, spec }),
  ).metadata.uid;
}

const rpc = (method: string, ...params: unknown[]) => callRpc(anvil.url, method, ...params);

/** Sends a transaction and returns its hash once it is mined. */
async function send(transaction: object): Promise<string> {
  const sent = { from: ann, gas: '0x100000', ...transaction };
  const { transactionHash } = (await rpc('eth_sendTransactionSync', sent)) as { transactionHash: string };
  return transactionHash;
}

/** Sends a transaction that waits for a block. */
const queue = async (transaction: object) =>
  String(await rpc('eth_sendTransaction', { from: ann, gas: '0x100000', ...transaction }));

/** Creates a contract with this code, and returns its address. */
async function create(code: string): Promise<string> {
  const length = `61${(code.length / 2).toString(16).padStart(4, '0')}`;
  const hash = await send({ data: `0x${length}600c5f39${length}5ff3${code}` });
  const receipt = (await rpc('eth_getTransactionReceipt', hash)) as { contractAddress: string };
  return receipt.contractAddress;
}

const get = (path: string, as = 'ann') => api.request(`/v1alpha/networks/${id}/accounts/${path}`, { as });
const transactionsOf = async (address: string, query = '') =>
  (await get(`${address}/transactions${query}`)).json;
const hashesOf = ({ items }: { items: { hash: string }[] }) => items.map(({ hash }) => hash);

it('an account has what it sent, received and created, the newest first', async () => {
  const first = await send({ to: bob, value: '0x5' });
  const contract = await create('00');
  const list = await transactionsOf(ann);
  expect(list).toMatchObject({
    kind: 'AccountTransactionList',
    enclaveID: 'a-1',
    covered: { first: '0', from: '0', to: '2', untraced: 0 },
    items: [
      { block: '2', from: ann, created: contract, status: 'success', value: '0', inner: [] },
      { block: '1', hash: first, index: 0, from: ann, to: bob, value: '5', status: 'success' },
    ],
    metadata: {},
  });
  expect(list.items[0]).not.toHaveProperty('to');
  expect(list.items[1]).not.toHaveProperty('method');
  expect(hashesOf(await transactionsOf(bob))).toEqual([first]);
  expect(hashesOf(await transactionsOf(bob.toUpperCase().replace('0X', '0x')))).toEqual([first]);
  expect((await transactionsOf(contract)).items).toMatchObject([{ created: contract }]);
  expect((await transactionsOf(cat)).items).toEqual([]);
});

// It creates an empty contract and sends 1 wei to `cat`.
const innerCode = `5f5f5ff0505f5f5f5f600173${cat.slice(2)}5af100`;

it('an account that was only called or created within a transaction has it, with those calls', async () => {
  const contract = await create(innerCode);
  const hash = await send({ to: contract, value: '0x5', data: '0xd09de08a01' });
  const [paid] = (await transactionsOf(cat)).items;
  expect(paid).toMatchObject({
    hash,
    to: contract,
    method: '0xd09de08a',
    inner: [{ type: 'CALL', from: contract, to: cat, value: '1' }],
  });
  const [called] = (await transactionsOf(contract)).items;
  expect(called.inner).toMatchObject([
    { type: 'CREATE', from: contract },
    { type: 'CALL', to: cat },
  ]);
  const made = called.inner[0].to;
  expect((await transactionsOf(made)).items).toMatchObject([{ hash, inner: [{ type: 'CREATE', to: made }] }]);
});

it('each of many accounts that a transaction paid has it', async () => {
  const base = 0x7700n << 144n;
  const account = (index: number) => `0x${(base + BigInt(index)).toString(16).padStart(40, '0')}`;
  // A loop from 300 down to 1, which sends 1 wei to the account of each number.
  const contract = await create(`61012c5b5f5f5f5f60018573${account(0).slice(2)}015af150600190038060035700`);
  const hash = await send({ to: contract, value: '0x12c', gas: '0xe00000' });
  for (const index of [1, 100, 101, 200, 201, 300]) {
    const [paid] = (await transactionsOf(account(index))).items;
    expect(paid).toMatchObject({ hash, inner: [{ to: account(index), value: '1' }] });
  }
});

it('a block in a time that nothing can write has the last one that RFC 3339 can', async () => {
  await rpc('evm_setNextBlockTimestamp', 8_640_000_000_001);
  const hash = await send({ to: bob, value: '0x5' });
  expect((await transactionsOf(bob)).items).toMatchObject([{ hash, time: '9999-12-31T23:59:59Z' }]);
});

it('what a failed transaction called is not counted, and it is shown as failed', async () => {
  // The same, but it reverts in the end.
  const contract = await create(`${innerCode.slice(0, -2)}5f5ffd`);
  await rpc('evm_setAutomine', false);
  const hash = await queue({ to: contract, value: '0x5' });
  await rpc('evm_mine');
  expect((await transactionsOf(contract)).items[0]).toMatchObject({ hash, status: 'failed', inner: [] });
  expect((await transactionsOf(cat)).items).toEqual([]);
});

const events = new Interface([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 value)',
]);

/** A contract that emits this event whenever it is called. */
async function emitter(name: string, values: unknown[]): Promise<string> {
  const { topics, data } = events.encodeEventLog(name, values);
  const words = data.slice(2).match(/.{64}/g) ?? [];
  const store = words.map((word, index) => `7f${word}60${(index * 32).toString(16).padStart(2, '0')}52`);
  const push = topics.toReversed().map((topic) => `7f${topic.slice(2)}`);
  const length = (words.length * 32).toString(16).padStart(2, '0');
  const code = `${store.join('')}${push.join('')}60${length}5fa${topics.length}00`;
  return create(code);
}

it('transfers of tokens are those of an account, or those of a token', async () => {
  const coin = await emitter('Transfer', [zero, bob, 7n]);
  const kinds = await emitter('TransferSingle', [ann, bob, cat, 3n, 4n]);
  const [mint, move] = [await send({ to: coin }), await send({ to: kinds })];
  const ofBob = (await get(`${bob}/transfers`)).json;
  expect(ofBob).toMatchObject({
    kind: 'TokenTransferList',
    items: [
      { hash: move, token: kinds, standard: 'ERC-1155', from: bob, to: cat, amount: '4', tokenId: '3' },
      { hash: mint, token: coin, standard: 'ERC-20', from: zero, to: bob, amount: '7', logIndex: 0 },
    ],
  });
  expect(hashesOf((await get(`${coin}/transfers?of=token`)).json)).toEqual([mint]);
  expect(hashesOf((await get(`${coin}/transfers`)).json)).toEqual([]);
});

it('the pages of a list have each entry once, also with several in a block', async () => {
  await rpc('evm_setAutomine', false);
  const hashes: string[] = [];
  for (const nonce of [0, 1, 2, 3, 4]) {
    hashes.push(await queue({ to: bob, nonce: `0x${nonce.toString(16)}` }));
    if (nonce % 2 === 1) await rpc('evm_mine');
  }
  await rpc('evm_mine');
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await transactionsOf(bob, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    seen.push(...hashesOf(page));
    cursor = page.metadata.cursor;
  } while (cursor);
  expect(seen).toEqual(hashes.reverse());
});

it('blocks are searched as far as a page needs them, and the rest with the next page', async () => {
  const old = await send({ to: bob });
  await rpc('anvil_mine', '0x3e8');
  // A page of one entry needs no more than the newest blocks.
  const newest = await send({ to: bob });
  const first = await transactionsOf(bob, '?limit=1');
  expect(first).toMatchObject({ covered: { first: '0', from: '903', to: '1002' } });
  expect(hashesOf(first)).toEqual([newest]);
  let { cursor } = first.metadata;
  const pages = [];
  while (cursor) {
    const page = await transactionsOf(bob, `?limit=1&cursor=${cursor}`);
    pages.push(page);
    cursor = page.metadata.cursor;
  }
  expect(pages.flatMap(hashesOf)).toEqual([old]);
  expect(pages.at(-1)?.covered).toMatchObject({ from: '0', to: '1002' });
});

it('what a revert undid is forgotten, and what was mined since is found', async () => {
  const kept = await send({ to: bob });
  const snapshot = await rpc('evm_snapshot');
  const undone = await send({ to: bob, value: '0x1' });
  await send({ to: cat });
  expect(hashesOf(await transactionsOf(bob))).toEqual([undone, kept]);
  await rpc('evm_revert', snapshot);
  expect(hashesOf(await transactionsOf(bob))).toEqual([kept]);
  const again = await send({ to: bob, value: '0x2' });
  await send({ to: bob, value: '0x3' });
  const list = await transactionsOf(bob);
  expect(hashesOf(list)).toHaveLength(3);
  expect(hashesOf(list).slice(1)).toEqual([again, kept]);
  expect(list.covered).toMatchObject({ from: '0', to: '3' });
});

it('another chain of the network is indexed again', async () => {
  const hash = await send({ to: bob });
  expect(hashesOf(await transactionsOf(bob))).toEqual([hash]);
  await anvil.close();
  anvil = await startPlainAnvil([]);
  expect((await transactionsOf(bob)).items).toEqual([]);
});

it('a cursor of an earlier chain of the network is refused', async () => {
  for (const _ of [1, 2]) await send({ to: bob });
  const { cursor } = (await transactionsOf(bob, '?limit=1')).metadata;
  const { items } = await kube.list(networkType);
  for (const { metadata } of items)
    await kube.patch(networkType, metadata, { status: { enclaveID: 'a-2' } }, 'status');
  expect((await get(`${bob}/transactions?limit=1&cursor=${cursor}`)).status).toBe(400);
});

it('blocks of a forked chain are not searched', async () => {
  await send({ to: bob });
  id = seed({ ...running, fork: { block: '1' } } as NetworkStatus);
  expect(await transactionsOf(bob)).toMatchObject({ items: [], covered: { first: '2', from: '2', to: '1' } });
  const own = await send({ to: bob });
  expect(hashesOf(await transactionsOf(bob))).toEqual([own]);
});

it.each([
  ['a network that is stopped', { status: { state: 'Stopped', enclaveID: 'a-1' } }, 409, 'start it first'],
  [
    'a chain that is not EVM',
    { status: running, spec: { chain: { type: 'Solana' } } },
    400,
    'Solana networks have no index: use an EVM network',
  ],
])('%s is refused', async (_what, { status, spec }: { status: object; spec?: object }, code, message) => {
  id = seed(status as NetworkStatus, spec);
  const answer = await get(`${bob}/transactions`);
  expect(answer.status).toBe(code);
  expect(answer.json.message).toContain(message);
});

it.each(['nonsense/transactions', `${bob}/transfers?of=both`, `${bob}/transactions?cursor=x`])(
  'refuses %s',
  async (path) => {
    expect((await get(path)).status).toBe(400);
  },
);

it('nobody sees the accounts of another workspace', async () => {
  expect((await get(`${bob}/transactions`, 'eve')).status).toBe(404);
});
