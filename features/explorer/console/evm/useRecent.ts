import { useEffect, useRef, useState } from 'react';
import { useInside, useMay } from '../../../../console/src/session/context.tsx';
import type { Client } from '../../../../sdk/src/client.ts';
import { useExplored, useFirstBlock } from '../context.tsx';
import type { Reader } from '../reader.ts';
import { type Block, blockOf } from './model.ts';
import { olderTransactions, type Sent } from './older.ts';
import { readResults } from './readTransaction.ts';
import {
  isContinued,
  keptCount,
  missingBlocks,
  type Range,
  type RecentTransaction,
  recentCount,
  shownTransactions,
  withBlocks,
  withOlder,
} from './recent.ts';

interface Recent {
  blocks: readonly Block[];
  transactions: readonly RecentTransaction[];
}

/** The newest blocks and transactions; reads what is missing with each new block. */
export function useRecent(): { recent: Recent | undefined; error: unknown } {
  const { reader, head, network } = useExplored();
  const { client } = useInside();
  const first = useFirstBlock();
  const maySee = useMay('transactions:read');
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
    const sent = () => (maySee ? sentTo(client, network.id).catch(() => []) : Promise.resolve([]));
    const follow = async () => {
      for (let read: bigint | undefined; read !== newest.current; ) {
        read = newest.current;
        if (read === undefined) return;
        const before = known.current.blocks;
        known.current = await readRecent({ reader, sent, first }, known.current, read);
        setRecent(known.current);
        if (known.current.blocks.length >= before.length && isContinued(before, known.current.blocks))
          continue;
        known.current = await withHistory({ reader, first }, known.current, read);
        setRecent(known.current);
      }
    };
    follow()
      .then(() => setError(undefined), setError)
      .finally(() => {
        isReading.current = false;
      });
  }, [number, reader, client, maySee, network.id, first]);
  return { recent, error };
}

interface Sources {
  reader: Reader;
  /** The newest transactions that the service sent. */
  sent: () => Promise<Sent[]>;
  /** The first block of the network itself. */
  first: bigint;
}

async function sentTo(client: Client, networkId: string): Promise<Sent[]> {
  const selector = `network_id == ${networkId}`;
  const { items } = await client.transactions.list({ selector, limit: shownTransactions });
  return items.flatMap(({ hash, block }) => (block === undefined ? [] : [{ hash, block: BigInt(block) }]));
}

async function readRecent({ reader, sent, first }: Sources, known: Recent, head: bigint): Promise<Recent> {
  const blocks = await readBlocks(reader, known.blocks, { head, count: recentCount, first: 0n });
  const listed = blocks.slice(0, recentCount);
  const recent = await readTransactions(reader, listed, known.transactions);
  const before = listed.at(-1)?.number ?? 0n;
  // When the page opens, and when the chain went back, nothing is known of what was before.
  const older =
    isContinued(known.blocks, blocks) || recent.length >= shownTransactions
      ? known.transactions
      : await olderTransactions(reader, await sent(), { before, first });
  return { blocks, transactions: withOlder(recent, older, listed) };
}

/** With the blocks before those of the lists, which only the charts show. They show nothing of what was before a fork. */
async function withHistory(
  { reader, first }: Pick<Sources, 'reader' | 'first'>,
  known: Recent,
  head: bigint,
): Promise<Recent> {
  const { transactions } = known;
  return { blocks: await readBlocks(reader, known.blocks, { head, count: keptCount, first }), transactions };
}

/** The known blocks with those of a range that are not among them yet. */
async function readBlocks(reader: Reader, known: readonly Block[], range: Range): Promise<readonly Block[]> {
  let blocks = known;
  // After a revert, the first look only says that what is known is of another branch.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const calls = missingBlocks(blocks, range).map(
      (number) => ['eth_getBlockByNumber', `0x${number.toString(16)}`, false] as const,
    );
    const read = (await reader.ask(calls)).flatMap(({ result }) => blockOf(result) ?? []);
    blocks = withBlocks(blocks, read, range.head);
    if (missingBlocks(blocks, range).length <= 1) break;
  }
  return blocks;
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
  const read = await readResults(
    reader,
    missing.map(({ hash, block }) => ({ hash, at: block.at })),
  );
  for (const one of read) byHash.set(one.transaction.hash, one);
  return wanted.flatMap(({ hash }) => byHash.get(hash) ?? []);
}
