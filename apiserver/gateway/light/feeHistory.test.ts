import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { feeHistory } from './feeHistory.ts';

const quantity = (value: number) => `0x${value.toString(16)}`;
const numberOf = (text: unknown) => Number(text);
const newest = 5;
const baseFeeOf = (number: number) => quantity(1000 - number);

/** An engine that has blocks 0 to 5, and fees of those since its process began: of block 5 alone. */
const answers: Record<string, (params: readonly unknown[]) => unknown> = {
  eth_blockNumber: () => quantity(newest),
  eth_feeHistory: ([count, last]) => ({
    oldestBlock: quantity(Math.max(0, (last === 'latest' ? newest : numberOf(last)) - numberOf(count) + 1)),
    baseFeePerGas: [baseFeeOf(newest), baseFeeOf(newest + 1)],
    gasUsedRatio: [0.5],
  }),
  eth_getBlockByNumber: ([number]) => ({
    number,
    baseFeePerGas: baseFeeOf(numberOf(number)),
    gasUsed: quantity(numberOf(number) === 2 ? 0 : 60),
    gasLimit: quantity(120),
    excessBlobGas: '0x0',
    blobGasUsed: '0x0',
  }),
  eth_getBlockReceipts: ([number]) => {
    const paid = (tip: number, gas: number) => ({
      effectiveGasPrice: quantity(1000 - numberOf(number) + tip),
      gasUsed: quantity(gas),
    });
    return numberOf(number) === 2 ? [] : [paid(9, 30), paid(1, 20), paid(4, 10)];
  },
};
const ask = (method: string, params: readonly unknown[]) => answers[method]?.(params);
const rpc: Pick<EvmRpc, 'call' | 'batch'> = {
  call: async (method, params) => ask(method, params),
  batch: async (calls) => calls.map(({ method, params }) => ({ result: ask(method, params) })),
};
const historyOf = async (...params: unknown[]) => {
  const own = await feeHistory(rpc, params);
  return own && 'result' in own ? own.result : undefined;
};

test.each([
  ['latest', [2, 3, 4, 5]],
  ['0x3', [0, 1, 2, 3]],
])(
  'fees of blocks that a former process mined are those of the blocks: a history that ends with %s',
  async (end, numbers) => {
    expect(await historyOf('0x4', end, [])).toEqual({
      oldestBlock: quantity(numbers[0] ?? 0),
      baseFeePerGas: [...numbers, (numbers.at(-1) ?? 0) + 1].map(baseFeeOf),
      gasUsedRatio: numbers.map((number) => (number === 2 ? 0 : 0.5)),
      baseFeePerBlobGas: [...numbers, 0].map(() => '0x1'),
      blobGasUsedRatio: numbers.map(() => 0),
    });
  },
);

test('rewards are the tips below which that part of the gas was paid', async () => {
  expect(await historyOf('0x2', '0x3', [0, 30, 50, 100])).toMatchObject({
    reward: [
      ['0x0', '0x0', '0x0', '0x0'],
      ['0x1', '0x1', '0x4', '0x9'],
    ],
  });
});

test('rewards that cannot be read are an error, and not zero', async () => {
  const failing = { ...rpc, batch: rpc.batch };
  failing.batch = async (calls, options) =>
    calls[0]?.method === 'eth_getBlockReceipts'
      ? calls.map(() => ({ error: new AppError('Unavailable', 'too long') }))
      : rpc.batch(calls, options);
  await expect(feeHistory(failing, ['0x2', '0x3', [50]])).rejects.toThrow('too long');
});

test('receipts are asked for a few blocks at a time', async () => {
  const counts: number[] = [];
  const counted: typeof rpc = {
    ...rpc,
    batch: (calls, options) => {
      if (calls[0]?.method === 'eth_getBlockReceipts') counts.push(calls.length);
      return rpc.batch(calls, options);
    },
  };
  await feeHistory(counted, ['0x6', '0x5', [50]]);
  expect(counts).toEqual([4, 2]);
});

test('of more blocks than are worked out, the newest are answered', async () => {
  const head = 999;
  const long: typeof rpc = {
    ...rpc,
    call: async (method, params) => (method === 'eth_blockNumber' ? quantity(head) : ask(method, params)),
  };
  const own = await feeHistory(long, ['0x200', quantity(900), []]);
  expect(own).toMatchObject({ result: { oldestBlock: quantity(645) } });
  expect(own && 'result' in own && Object(own.result).gasUsedRatio).toHaveLength(256);
});

test('a history that the engine has is its own', async () => {
  expect(await historyOf('0x1', 'latest', [])).toEqual({
    oldestBlock: '0x5',
    baseFeePerGas: [baseFeeOf(5), baseFeeOf(6)],
    gasUsedRatio: [0.5],
  });
});
