import { useEffect, useRef, useState } from 'react';
import { useExplored } from '../context.tsx';
import type { Reader } from '../reader.ts';
import { type Block, blockOf, receiptOf, type Transaction, transactionOf } from './model.ts';
import { missingBlocks, withBlocks } from './recent.ts';

export interface RecentTransaction {
  transaction: Transaction;
  isSuccess: boolean | undefined;
  at: number;
}

interface Recent {
  blocks: readonly Block[];
  transactions: readonly RecentTransaction[];
}

const shownTransactions = 15;

/** The newest blocks and transactions; reads what is missing with each new block. */
export function useRecent(): { recent: Recent | undefined; error: unknown } {
  const { reader, head } = useExplored();
  const [recent, setRecent] = useState<Recent>();
  const [error, setError] = useState<unknown>();
  const known = useRef<Recent>({ blocks: [], transactions: [] });
  const newest = useRef<bigint>(undefined);
  const isReading = useRef(false);
  const number = head?.number;
  useEffect(() => {
    if (number === undefined) return;
    newest.current = BigInt(number);
    if (isReading.current) return;
    isReading.current = true;
    const follow = async () => {
      for (let read: bigint | undefined; read !== newest.current; ) {
        read = newest.current;
        if (read === undefined) return;
        known.current = await readRecent(reader, known.current, read);
        setRecent(known.current);
      }
    };
    follow()
      .then(() => setError(undefined), setError)
      .finally(() => {
        isReading.current = false;
      });
  }, [number, reader]);
  return { recent, error };
}

async function readRecent(reader: Reader, known: Recent, head: bigint): Promise<Recent> {
  let { blocks } = known;
  // After a revert, the first look only says that what is known is of another branch.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const missing = missingBlocks(blocks, head);
    const calls = missing.map(
      (number) => ['eth_getBlockByNumber', `0x${number.toString(16)}`, false] as const,
    );
    const read = (await reader.ask(calls)).flatMap(({ result }) => blockOf(result) ?? []);
    blocks = withBlocks(blocks, read, head);
    if (missingBlocks(blocks, head).length <= 1) break;
  }
  return { blocks, transactions: await readTransactions(reader, blocks, known.transactions) };
}

/** The newest transactions of these blocks; those that are known are not read again. */
async function readTransactions(
  reader: Reader,
  blocks: readonly Block[],
  known: readonly RecentTransaction[],
): Promise<RecentTransaction[]> {
  const wanted = blocks
    .flatMap((block) => block.transactions.toReversed().map((hash) => ({ hash, block })))
    .slice(0, shownTransactions);
  const byHash = new Map(known.map((one) => [one.transaction.hash, one]));
  const isKnown = ({ hash, block }: (typeof wanted)[number]) =>
    byHash.get(hash)?.transaction.blockNumber === block.number;
  const missing = wanted.filter((one) => !isKnown(one));
  const answers = await reader.ask([
    ...missing.map(({ hash }) => ['eth_getTransactionByHash', hash] as const),
    ...missing.map(({ hash }) => ['eth_getTransactionReceipt', hash] as const),
  ]);
  for (const [index, { hash, block }] of missing.entries()) {
    const transaction = transactionOf(answers[index]?.result);
    const isSuccess = receiptOf(answers[missing.length + index]?.result)?.isSuccess;
    if (transaction) byHash.set(hash, { transaction, isSuccess, at: block.at });
  }
  return wanted.flatMap(({ hash }) => byHash.get(hash) ?? []);
}
