import { Wallet } from 'ethers';
import { memberBalance } from '../accounts/hotKeys.ts';
import type { TransactionItem } from '../api/rest/transaction.ts';
import { evmDrivers } from '../chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../chains/evm/testing/testChain.ts';
import { failureReason } from '../evm/failure.ts';
import { type Published, readInstance } from '../evm/instance.ts';
import { awaitReceipts, readReceipts } from '../evm/receipts.ts';
import { createEvmRpc, type EvmRpc } from '../evm/rpc.ts';
import { type AppError, isAppError } from '../lib/errors.ts';
import { prepare } from './prepare.ts';

let chain: TestChain;
let rpc: EvmRpc;
let published: Published;
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  rpc = createEvmRpc({ url: chain.url });
  published = { pod: 'p-1', process: await readInstance(rpc) };
});
afterAll(() => chain.stop());

const other = '0x00000000000000000000000000000000000000aa';
const transfer = (more: Partial<TransactionItem> = {}): TransactionItem => ({
  from: chain.wallet.address,
  to: other,
  value: '1',
  data: '0x',
  ...more,
});
/** Without a recipient. */
const creation = (data: string, more: Partial<TransactionItem> = {}): TransactionItem => ({
  from: chain.wallet.address,
  value: '0',
  data,
  ...more,
});

const run = (...items: TransactionItem[]) =>
  prepare({ rpc, signer: chain.wallet.address, chainId: chain.chainId, published }, items);

async function refusal(...items: TransactionItem[]): Promise<AppError> {
  const error = await run(...items).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isAppError(error)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

/** Code that runs `body` (hexadecimal) whenever it is called. */
const contractOf = (body: string) => {
  const length = (body.length / 2).toString(16).padStart(2, '0');
  return `0x60${length}600c60003960${length}6000f3${body}`;
};
/** Reverts with the given bytes of up to 32. */
const reverting = (data: string) => {
  const size = (data.length / 2).toString(16).padStart(2, '0');
  return `7f${data.padEnd(64, '0')}60005260${size}6000fd`;
};

test('fills in chain, gas and fees, and reports the nonces that are used', async () => {
  const { transactions, node } = await run(transfer(), transfer({ value: '0xff' }));
  expect(transactions).toMatchObject([
    { chainId: chain.chainId, to: other, value: '1', data: '0x', gasLimit: '21000' },
    { value: '255', gasLimit: '21000' },
  ]);
  const fees = transactions[0]!.fees as { maxFeePerGas: string; maxPriorityFeePerGas: string };
  expect(BigInt(fees.maxFeePerGas)).toBeGreaterThan(BigInt(fees.maxPriorityFeePerGas));
  expect(node.pendingCount).toBe(0);
  expect(node.instance).toBe(published.process);
  expect(await node.countNonces()).toBe(0);
});

test('keeps the given values', async () => {
  const given = { gas_limit: 50_000, max_fee_per_gas: '5000000000', max_priority_fee_per_gas: '7' };
  const { transactions } = await run(transfer(given));
  expect(transactions).toMatchObject([
    { gasLimit: '50000', fees: { maxFeePerGas: '5000000000', maxPriorityFeePerGas: '7' } },
  ]);
});

test('a tip that the node suggests never exceeds the given maximum fee', async () => {
  const { transactions } = await run(transfer({ max_fee_per_gas: '1000000001' }));
  const { maxPriorityFeePerGas } = transactions[0]!.fees as { maxPriorityFeePerGas: string };
  expect(BigInt(maxPriorityFeePerGas)).toBeLessThanOrEqual(1_000_000_001n);
});

test.each<[string, () => TransactionItem, string, RegExp]>([
  ['another sender', () => transfer({ from: other }), 'from', /default key, 0x[0-9a-fA-F]{40}$/],
  ['too little gas', () => transfer({ gas_limit: 20_999 }), 'gas_limit', /at least 21000/],
  [
    'too little gas for its data',
    () => transfer({ data: '0xff', gas_limit: 21_000 }),
    'gas_limit',
    /at least 210\d\d/,
  ],
  ['too little gas to create', () => creation('0x00', { gas_limit: 53_000 }), 'gas_limit', /at least 5300\d/],
  [
    'more gas than a transaction may have',
    () => transfer({ gas_limit: 2 ** 40 }),
    'gas_limit',
    /more than a transaction may have/,
  ],
  [
    'a fee below the base fee',
    () => transfer({ max_fee_per_gas: '1' }),
    'max_fee_per_gas',
    /base fee .*\d{9}: increase it, or leave it out/,
  ],
  [
    'a tip above the fee',
    () => transfer({ max_fee_per_gas: '2000000000', max_priority_fee_per_gas: '2000000001' }),
    'max_priority_fee_per_gas',
    /larger than max_fee_per_gas/,
  ],
  ['creation code beyond EIP-3860', () => creation(`0x${'00'.repeat(49_153)}`), 'data', /49152/],
  [
    'more than it holds',
    () => transfer({ value: `${10n ** 30n}`, gas_limit: 21_000 }),
    'value',
    /send it funds/,
  ],
  [
    'the largest amount',
    () => transfer({ value: `${2n ** 256n - 1n}`, gas_limit: 21_000 }),
    'value',
    /holds/,
  ],
  [
    'a tip beyond what it holds',
    () => transfer({ max_priority_fee_per_gas: `${10n ** 20n}`, gas_limit: 21_000 }),
    'max_priority_fee_per_gas',
    /lower it, or send it funds/,
  ],
  [
    'a maximum beyond what it holds',
    () => transfer({ max_fee_per_gas: `${10n ** 20n}`, max_priority_fee_per_gas: '1', gas_limit: 21_000 }),
    'max_fee_per_gas',
    /lower it, or send it funds/,
  ],
  ['a contract that reverts', () => creation('0x60006000fd'), 'gas_limit', /reverted without a reason/],
])('an item with %s is reported with its path and the remedy', async (_reason, item, field, message) => {
  const { reason, details } = await refusal(transfer(), item(), transfer());
  expect(reason).toBe('BadRequest');
  expect(details).toEqual([{ path: `[1].${field}`, message: expect.stringMatching(message) }]);
});

test('a fee below the base fee of the next block is refused, even if the latest block would have accepted it', async () => {
  const latest = (await chain.provider.getBlock('latest'))?.baseFeePerGas ?? 0n;
  const next = 2n * latest;
  await rpc.call('anvil_setNextBlockBaseFeePerGas', [`0x${next.toString(16)}`]);
  const { details } = await refusal(transfer({ max_fee_per_gas: `${next - 1n}` }));
  expect(details).toMatchObject([
    { path: '[0].max_fee_per_gas', message: expect.stringContaining(`${next}`) },
  ]);
  await run(transfer({ max_fee_per_gas: `${next}` }));
  await rpc.call('anvil_setNextBlockBaseFeePerGas', [`0x${latest.toString(16)}`]);
});

test('all invalid items are reported at once', async () => {
  const { details } = await refusal(
    transfer({ from: other, gas_limit: 1 }),
    transfer(),
    transfer({ max_fee_per_gas: '1' }),
  );
  expect(details.map(({ path }) => path)).toEqual(['[0].from', '[0].gas_limit', '[2].max_fee_per_gas']);
});

test('funds are counted over the whole batch', async () => {
  const half = `${6n * 10n ** 23n}`;
  const { details } = await refusal(transfer({ value: half }), transfer(), transfer({ value: half }));
  expect(details).toMatchObject([{ path: '[2].value' }]);
});

test('a transfer that depends on an earlier one is simulated after it', async () => {
  const fresh = contractOf('5f3560005414600a575f5ffd5b00');
  expect((await run(transfer(), transfer(), creation(fresh))).transactions).toHaveLength(3);
});

describe('the reason of a failed transaction', () => {
  const text = '08c379a0';
  test.each([
    ['nothing', '60006000fd', /^reverted without a reason$/],
    ['a custom error', reverting(`12345678${'00'.repeat(4)}`), /custom error 0x12345678 with 0x00000000$/],
    ['half an Error(string)', reverting(text), /custom error 0x08c379a0$/],
    ['an invalid instruction', 'fe', /invalid|opcode/i],
  ])('%s', async (_reason, body, expected) => {
    const created = await chain.send({ data: contractOf(body), gasLimit: 500_000 });
    const sent = await chain.wallet.sendTransaction({ to: created.contractAddress!, gasLimit: 100_000 });
    const [receipt] = await awaitReceipts(rpc, [sent.hash], { timeoutMs: 10_000 });
    expect(receipt).toMatchObject({ isSuccess: false, hash: sent.hash });
    expect(await failureReason(rpc, receipt!)).toMatch(expected);
  });

  test('a receipt names the contract that was created', async () => {
    const { hash, contractAddress } = await chain.send({ data: contractOf('00'), gasLimit: 500_000 });
    const [receipt, none] = await readReceipts(rpc, [hash, `0x${'12'.repeat(32)}`]);
    expect(receipt).toMatchObject({ isSuccess: true });
    expect(receipt!.contract?.toLowerCase()).toBe(contractAddress!.toLowerCase());
    expect(none).toBeUndefined();
  });
});

test('nothing is signed for a process that is not known to run the chain', async () => {
  const asked = prepare(
    { rpc, signer: chain.wallet.address, chainId: chain.chainId, published: { pod: 'p-1', process: '0x01' } },
    [transfer()],
  );
  await expect(asked).rejects.toMatchObject({ reason: 'Unavailable', retryAfterSeconds: 1 });
});

describe('an account without funds', () => {
  const poor = Wallet.createRandom();
  const item = (value: string) => ({ from: poor.address, to: other, value, data: '0x', gas_limit: 21_000 });
  const ask = (value: string) =>
    prepare({ rpc, signer: poor.address, chainId: chain.chainId, published }, [item(value)]);

  test('has what members have from genesis, if it was never used: its member came later', async () => {
    expect((await ask('1')).transactions).toHaveLength(1);
    expect(await chain.provider.getBalance(poor.address)).toBe(memberBalance);
  });

  test('gets nothing while its caller is not known to be there', async () => {
    const stranger = Wallet.createRandom();
    const confirmed = Promise.reject(new Error('removed'));
    confirmed.catch(() => undefined);
    const asked = prepare({ rpc, signer: stranger.address, chainId: chain.chainId, published, confirmed }, [
      { ...item('1'), from: stranger.address },
    ]);
    await expect(asked).rejects.toThrow('removed');
    expect(await chain.provider.getBalance(stranger.address)).toBe(0n);
  });

  test('is told where funds come from, once it has been used', async () => {
    await rpc.call('anvil_setBalance', [poor.address, '0x0']);
    await rpc.call('anvil_setNonce', [poor.address, '0x1']);
    await expect(ask('0')).rejects.toMatchObject({
      details: [{ path: '[0].value', message: expect.stringMatching('privateKeyRef') }],
    });
    expect(await chain.provider.getBalance(poor.address)).toBe(0n);
  });
});
