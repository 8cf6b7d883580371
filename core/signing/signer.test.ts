import { Transaction, Wallet } from 'ethers';
import { createSigner } from './signer.ts';
import type { NumberedTransaction } from './signing.ts';

const key = Buffer.alloc(32, 0x5e);
const wallet = new Wallet(`0x${key.toString('hex')}`);
const signer = createSigner(2);
afterAll(() => signer.close());

const aTransaction = (nonce: number, more: Partial<NumberedTransaction> = {}): NumberedTransaction => ({
  chainId: '1200000001',
  nonce,
  to: wallet.address,
  value: '1',
  data: '0x',
  gasLimit: '21000',
  fees: { maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1' },
  ...more,
});

test.each<[string, Partial<NumberedTransaction>, object]>([
  ['EIP-1559', {}, { type: 2, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n }],
  ['legacy fees', { fees: { gasPrice: '7' } }, { type: 0, gasPrice: 7n }],
  ['the largest amount', { value: `${2n ** 256n - 1n}` }, { value: 2n ** 256n - 1n }],
])('ethers parses what was signed with %s', async (_reason, more, fields) => {
  const [signed] = await signer.sign(key, [aTransaction(3, more)]);
  const parsed = Transaction.from(signed!.raw);
  expect(parsed).toMatchObject({ nonce: 3, chainId: 1_200_000_001n, from: wallet.address, ...fields });
  expect(parsed.hash).toBe(signed!.hash);
});

test.each<[string, Partial<NumberedTransaction>]>([
  ['EIP-1559', {}],
  ['legacy fees', { fees: { gasPrice: '1000000000' } }],
  ['no amount, no fee and nonce 0', { nonce: 0, value: '0', fees: { gasPrice: '0' } }],
  ['a byte of data', { data: '0x7f' }],
  ['56 bytes of data', { data: `0x${'80'.repeat(56)}` }],
  ['a contract of 24 kB', { data: `0x${'fe'.repeat(24_576)}`, to: '' }],
])('with %s, the bytes equal those of ethers', async (_reason, more) => {
  const { to, fees, accessList: _list, authorizations: _signed, ...fields } = aTransaction(256, more);
  const receiver = to ? { to } : {};
  const [signed] = await signer.sign(key, [{ ...fields, ...receiver, fees }]);
  const type = 'gasPrice' in fees ? 0 : 2;
  expect(signed!.raw).toBe(await wallet.signTransaction({ ...fields, ...receiver, ...fees, type }));
  expect(Transaction.from(signed!.raw).hash).toBe(signed!.hash);
});

const accessList = [
  { address: `0x${'7e'.repeat(20)}`, storageKeys: [`0x${'00'.repeat(32)}`, `0x${'ab'.repeat(32)}`] },
  { address: wallet.address.toLowerCase(), storageKeys: [] },
];

test.each<[string, number, Partial<NumberedTransaction>]>([
  ['an access list', 2, { accessList }],
  ['an access list and legacy fees', 1, { accessList, fees: { gasPrice: '1000000000' } }],
  ['an empty access list and legacy fees', 1, { accessList: [], fees: { gasPrice: '7' } }],
])('with %s, the bytes equal those of ethers', async (_reason, type, more) => {
  const { fees, authorizations: _, ...fields } = aTransaction(5, more);
  const [signed] = await signer.sign(key, [{ ...fields, fees }]);
  const list = (more.accessList ?? []).map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] }));
  const own = { ...fields, ...fees, type, accessList: list };
  expect(signed!.raw).toBe(await wallet.signTransaction(own));
});

test.each([
  ['every chain', 0n, 0n],
  ['one chain and a large nonce', 1_200_000_001n, 2n ** 53n],
])('with an authorization for %s, the bytes equal those of ethers', async (_reason, chainId, nonce) => {
  const other = new Wallet(`0x${'7a'.repeat(32)}`);
  const authorization = await other.authorize({ address: wallet.address, nonce, chainId });
  const { r, s, yParity } = authorization.signature;
  const authorizations = [
    { chainId: `${chainId}`, address: wallet.address, nonce: `0x${nonce.toString(16)}`, yParity, r, s },
  ];
  const { fees, authorizations: _, ...fields } = aTransaction(6);
  const [signed] = await signer.sign(key, [{ ...fields, fees, accessList, authorizations }]);
  const own = { ...fields, ...fees, type: 4, accessList, authorizationList: [authorization] };
  expect(signed!.raw).toBe(await wallet.signTransaction(own));
});

test('a transaction without a recipient creates a contract', async () => {
  const { to: _to, ...creation } = aTransaction(0, { data: '0x6001' });
  const [signed] = await signer.sign(key, [creation]);
  expect(Transaction.from(signed!.raw)).toMatchObject({ to: null, data: '0x6001' });
});

test('many transactions are signed on several threads, in order and deterministically', async () => {
  const transactions = Array.from({ length: 100 }, (_, nonce) => aTransaction(nonce));
  const signed = await signer.sign(key, transactions);
  expect(signed.map(({ raw }) => Transaction.from(raw).nonce)).toEqual(
    transactions.map(({ nonce }) => nonce),
  );
  expect(await signer.sign(key, transactions)).toEqual(signed);
});

test('a short job does not wait for a long one before it', async () => {
  const own = createSigner(1);
  const ended: string[] = [];
  const many = Array.from({ length: 300 }, (_, nonce) => aTransaction(nonce));
  const long = own.sign(key, many).then(() => ended.push('long'));
  const short = own.sign(key, [aTransaction(0)]).then(() => ended.push('short'));
  await Promise.all([long, short]);
  expect(ended).toEqual(['short', 'long']);
  await own.close();
});

test('an empty list gives an empty list', async () => {
  expect(await signer.sign(key, [])).toEqual([]);
});

test('the key of the caller is left unchanged', async () => {
  await signer.sign(key, [aTransaction(0)]);
  expect(key).toEqual(Buffer.alloc(32, 0x5e));
});

test('a transaction that cannot be signed rejects, and the next job succeeds', async () => {
  await expect(signer.sign(key, [aTransaction(0, { value: 'much' })])).rejects.toMatchObject({
    reason: 'Internal',
  });
  expect(await signer.sign(key, [aTransaction(0)])).toHaveLength(1);
});

test('closing rejects jobs in progress, and a later job starts a new thread', async () => {
  const own = createSigner(1);
  const underWay = own.sign(
    key,
    Array.from({ length: 200 }, (_, nonce) => aTransaction(nonce)),
  );
  const outcome = expect(underWay).rejects.toMatchObject({ reason: 'Unavailable' });
  await own.close();
  await outcome;
  expect(await own.sign(key, [aTransaction(0)])).toHaveLength(1);
  await own.close();
});
