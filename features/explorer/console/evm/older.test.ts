import type { Reader } from '../reader.ts';
import { olderTransactions } from './older.ts';

/** A chain with these transactions by block; blocks are ten seconds apart. */
function chainOf(blocks: Record<number, string[]>): Pick<Reader, 'ask'> {
  const blockOf = (hash: string) => Object.entries(blocks).find(([, hashes]) => hashes.includes(hash))?.[0];
  return {
    async ask(calls) {
      return calls.map(([method, what]) => {
        const text = String(what);
        if (method === 'eth_getBlockByNumber') {
          const number = Number(text);
          const block = { number: text, hash: `0xb${number}`, timestamp: number * 10 };
          return { result: { ...block, transactions: blocks[number] ?? [] } };
        }
        const number = blockOf(text);
        if (number === undefined) return { result: null };
        if (method === 'eth_getTransactionReceipt') return { result: { status: '0x1' } };
        return { result: { hash: text, from: '0x1', blockNumber: `0x${Number(number).toString(16)}` } };
      });
    },
  };
}

const hashesOf = (found: Awaited<ReturnType<typeof olderTransactions>>) =>
  found.map(({ transaction: { hash }, at }) => [hash, at]);

it('a chain with many empty blocks shows what was before them, the newest first', async () => {
  const reader = chainOf({ 900: ['0xa', '0xb'], 950: ['0xc'] });
  expect(hashesOf(await olderTransactions(reader, [], { before: 985n, first: 0n }))).toEqual([
    ['0xc', 9500],
    ['0xb', 9000],
    ['0xa', 9000],
  ]);
});

it('what the service sent is found however long ago, once', async () => {
  const reader = chainOf({ 3: ['0xold'], 950: ['0xc'] });
  const sent = [
    { hash: '0xc', block: 950n },
    { hash: '0xold', block: 3n },
    { hash: '0xold', block: 3n },
    { hash: '0xgone', block: 2n },
    { hash: '0xnew', block: 990n },
  ];
  expect(hashesOf(await olderTransactions(reader, sent, { before: 985n, first: 1n }))).toEqual([
    ['0xc', 9500],
    ['0xold', 30],
  ]);
});

it('what was before a fork is not looked for', async () => {
  const reader = chainOf({ 940: ['0xpublic'], 950: ['0xown'] });
  const sent = [{ hash: '0xpublic', block: 940n }];
  const found = await olderTransactions(reader, sent, { before: 985n, first: 945n });
  expect(hashesOf(found)).toEqual([['0xown', 9500]]);
});

it('there is nothing before the first block', async () => {
  expect(await olderTransactions(chainOf({}), [], { before: 0n, first: 0n })).toEqual([]);
});
