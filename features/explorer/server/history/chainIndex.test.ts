import { readCapped } from '../../../../core/evm/readCapped.ts';
import type { RpcCall, RpcOutcome } from '../../../../core/evm/rpc.ts';
import type { AppError } from '../../../../core/lib/errors.ts';
import { createChainIndex } from './chainIndex.ts';

const isAll = () => false;

/** What a node of empty blocks up to `head` is asked for; it answers no more than `most` blocks at a time. */
async function nodeOf(head: number, most = 1000) {
  const tooLong: AppError = await readCapped(
    (async function* () {
      yield Buffer.alloc(2);
    })(),
    1,
  ).catch((error) => error);
  const batches: number[] = [];
  const blockAt = (number: number) => ({
    number: `0x${number.toString(16)}`,
    hash: `h${number}`,
    parentHash: `h${number - 1}`,
    timestamp: '0x0',
    transactions: [],
  });
  return {
    batches,
    batch: async (calls: readonly RpcCall[]): Promise<RpcOutcome[]> => {
      batches.push(calls.length);
      if (calls.length > most) return calls.map(() => ({ error: tooLong }));
      return calls.map(({ params: [number] }) => ({
        result: blockAt(number === 'latest' ? head : Number(number)),
      }));
    },
  };
}

it('blocks that are too large for one answer are read in smaller parts', async () => {
  const index = createChainIndex({ first: 0, maxSize: 10 });
  const node = await nodeOf(60, 20);
  await index.read(node, isAll);
  expect(index.covered).toEqual({ from: 0, to: 60 });
  expect(Math.max(...node.batches.filter((count) => count <= 20))).toBeGreaterThan(10);
});

it('one that is too large alone is an error', async () => {
  const index = createChainIndex({ first: 0, maxSize: 10 });
  const node = await nodeOf(60, 0);
  const headAlone = {
    batch: async (calls: readonly RpcCall[]) =>
      calls[0]?.params[0] === 'latest' ? (await nodeOf(60)).batch(calls) : node.batch(calls),
  };
  await expect(index.read(headAlone, isAll)).rejects.toThrow('its answer is longer than 1 bytes');
});

it('a chain that is far ahead is read again from its newest block', async () => {
  const index = createChainIndex({ first: 0, maxSize: 10 });
  await index.read(await nodeOf(10), isAll);
  const node = await nodeOf(5000);
  await index.read(node, () => true);
  expect(index.covered).toEqual({ from: 5001, to: 5000 });
  expect(node.batches).toEqual([1]);
});

it('a chain that goes back whenever it is read is given up', async () => {
  const index = createChainIndex({ first: 0, maxSize: 10 });
  const node = await nodeOf(10);
  const unsteady = {
    batch: async (calls: readonly RpcCall[]) =>
      calls.length === 1 ? node.batch(calls) : calls.map(() => ({ result: null })),
  };
  await expect(index.read(unsteady, isAll)).rejects.toMatchObject({
    reason: 'Unavailable',
    message: expect.stringContaining('went back while it was read'),
  });
});
