import { getCreateAddress, JsonRpcProvider, parseEther, type Wallet } from 'ethers';
import { releaseNamespace } from '../hack/up/names.ts';
import { readDefaultKey } from './lib/accounts.ts';
import { kubectl } from './lib/cluster.ts';
import { podsOf } from './lib/components.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove, untilMined } from './lib/networks.ts';
import { type Answer, call, freshName, until } from './lib/service.ts';

const submissions = '/transaction/v1alpha1/transaction/submissions';
const receiver = '0x00000000000000000000000000000000000000aa';
const types = ['Ethereum', 'Arbitrum', 'Base'] as const;

interface Chain {
  id: string;
  provider: JsonRpcProvider;
}

let wallet: Wallet;
let chains: Chain[];

async function startChain(type: (typeof types)[number], { name }: HotKey): Promise<Chain> {
  const member = type.toLowerCase();
  const privateKeyRef = { privateKeyRef: { name } };
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('tx'), spec: { chain: { type, [member]: privateKeyRef } } },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await reach(body.id, 'Operational');
  const { rpc = '' } = await endpointsOf(body.id);
  return {
    id: body.id,
    provider: new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1, pollingInterval: 100 }),
  };
}

beforeAll(async () => {
  wallet = await readDefaultKey();
  const key = await createHotKey();
  chains = await Promise.all(types.map((type) => startChain(type, key)));
});
afterAll(async () => {
  for (const { provider } of chains ?? []) provider.destroy();
  await Promise.all((chains ?? []).map(({ id }) => remove(id)));
});

const item = (more: object = {}) => ({ from: wallet.address, to: receiver, value: '1', data: '0x', ...more });
const submit = (byNetwork: Record<string, object[]>, headers: Record<string, string> = {}): Promise<Answer> =>
  call('POST', '/transaction/v1alpha1/transaction/submit', {
    body: { transactions_by_network: byNetwork },
    headers,
  });

it('the default key is funded on each network of its workspace from the first block', async () => {
  for (const { provider } of chains) {
    expect(await provider.getBalance(wallet.address)).toBeGreaterThan(parseEther('1'));
  }
});

it('one call submits to networks of three types and returns the hashes immediately', async () => {
  const { status, body } = await submit(
    Object.fromEntries(chains.map(({ id }) => [id, [item(), item({ value: '2' })]])),
  );
  expect(status).toBe(202);
  for (const { id, provider } of chains) {
    const hashes: string[] = body.tx_hashes_by_network[id];
    expect(hashes).toHaveLength(2);
    for (const hash of hashes) {
      const answer = await untilMined(id, hash);
      expect(answer.body.receipt).toMatchObject({ transactionHash: hash, status: '0x1' });
      expect((await provider.getTransactionReceipt(hash))?.from).toBe(wallet.address);
    }
  }
});

it('a transaction without a receiver creates a contract', async () => {
  const [{ id, provider }] = chains as [Chain];
  const nonce = await provider.getTransactionCount(wallet.address);
  const { to: _to, ...creation } = item({
    value: '0',
    data: '0x600a600c600039600a6000f3602a60005260206000f3',
  });
  const { body } = await submit({ [id]: [creation] });
  const { body: submission } = await untilMined(id, body.tx_hashes_by_network[id][0]);
  const address = getCreateAddress({ from: wallet.address, nonce });
  expect(submission.contract_address).toBe(address.toLowerCase());
  expect(BigInt(await provider.call({ to: address }))).toBe(42n);
});

it('an invalid item is reported with its path, and nothing is sent to its network', async () => {
  const [{ id, provider }] = chains as [Chain];
  const before = await provider.getTransactionCount(wallet.address);
  const { status, body } = await submit({ [id]: [item(), item({ from: receiver })] });
  expect(status).toBe(400);
  expect(body.details).toMatchObject([{ path: `transactions_by_network.${id}[1].from` }]);
  expect(await provider.getTransactionCount(wallet.address)).toBe(before);
});

it('submissions are listed by network, newest first', async () => {
  const [, { id }] = chains as [Chain, Chain];
  const selector = encodeURIComponent(`network_id == ${id} && state == mined`);
  const { body } = await until(
    'two listed submissions',
    () => call('GET', `${submissions}?selector=${selector}`),
    (answer) => answer.body.items?.length === 2,
  );
  expect(body.items[0].nonce).toBe(body.items[1].nonce + 1);
});

it('every submission is on the chain exactly once although API replicas are killed under load', async () => {
  const [{ id, provider }] = chains as [Chain];
  const before = await provider.getBalance(receiver);
  const count = 60;
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      const [victim] = await podsOf('apiserver');
      const pod = ['pod', victim?.metadata.name ?? '', '--namespace', releaseNamespace];
      await kubectl(['delete', ...pod, '--grace-period=0', '--force']);
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  })();
  /** Repeats the request until there is a response. */
  const submitOnce = async (index: number): Promise<string> => {
    const headers = { 'Idempotency-Key': `${id}-${index}` };
    const { body } = await until(
      `a response to request ${index}`,
      () => submit({ [id]: [item({ value: String(1000 + index) })] }, headers).catch(noResponse),
      ({ status }) => status === 202,
    );
    return body.tx_hashes_by_network[id][0];
  };
  const hashes = await Promise.all(Array.from({ length: count }, (_, index) => submitOnce(index)));
  isOver = true;
  await killing;
  expect(new Set(hashes).size).toBe(count);
  await until(
    'all transactions to be mined',
    () => Promise.all(hashes.map((hash) => provider.getTransactionReceipt(hash))),
    (receipts) => receipts.every((receipt) => receipt !== null),
  );
  const transactions = await Promise.all(hashes.map((hash) => provider.getTransaction(hash)));
  const values = Array.from({ length: count }, (_, index) => 1000 + index);
  expect(transactions.map((transaction) => Number(transaction?.value))).toEqual(values);
  // What a replica was killed with before it answered is not on the chain, under whatever nonce.
  const received = (await provider.getBalance(receiver)) - before;
  expect(Number(received)).toBe(values.reduce((sum, value) => sum + value, 0));
});

/** Stands for a request without a response. */
const noResponse = (): Answer => ({ status: 0, headers: new Headers(), body: {} });
