import { readCapped } from '../../../../core/evm/readCapped.ts';
import type { RpcCall, RpcOutcome } from '../../../../core/evm/rpc.ts';
import type { AppError } from '../../../../core/lib/errors.ts';
import { createChainIndex } from './chainIndex.ts';

const all = { isLate: () => false, isEnough: () => false };

/** What a node of empty blocks up to `head` is asked for; it answers no more than `most` blocks at a time. */
async function nodeOf(head: number, most = 1000) {
  const tooLong: AppError = await readCapped(
    (async function* () {
      yield Buffer.alloc(2);
    })(),
    { maxBytes: 1 },
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
  await index.read(node, all);
  expect(index.covered).toEqual({ from: 0, to: 60 });
  expect(Math.max(...node.batches.filter((count) => count <= 20))).toBeGreaterThan(10);
});

it('one that is too large alone ends the list, and newer blocks are there', async () => {
  const index = createChainIndex({ first: 0, maxSize: 10 });
  const node = await nodeOf(60, 0);
  const [good, bad] = [await nodeOf(60), node];
  const large = '0x28';
  const batch = (calls: readonly RpcCall[]) =>
    (calls.some(({ params: [number] }) => number === large) ? bad : good).batch(calls);
  await index.read({ batch }, all);
  expect([index.covered, index.isOpen]).toEqual([{ from: 41, to: 60 }, false]);
});

it('without time left, new blocks are read at the next request', async () => {
  const index = createChainIndex({ first: 0, maxSize: 10 });
  await index.read(await nodeOf(10), all);
  let looks = 0;
  const isLate = () => {
    looks += 1;
    return looks > 1;
  };
  await index.read(await nodeOf(500), { ...all, isLate });
  expect(index.covered).toEqual({ from: 0, to: 110 });
  await index.read(await nodeOf(500), all);
  expect(index.covered).toEqual({ from: 0, to: 500 });
});

it('a chain that is far ahead is read again from its newest block', async () => {
  const index = createChainIndex({ first: 0, maxSize: 10 });
  await index.read(await nodeOf(10), all);
  const node = await nodeOf(5000);
  await index.read(node, { ...all, isEnough: () => true });
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
  await expect(index.read(unsteady, all)).rejects.toMatchObject({
    reason: 'Unavailable',
    message: expect.stringContaining('went back while it was read'),
  });
});
