import { at, listAt } from '../../fields.ts';
import type { Reader } from '../../reader.ts';
import { blockOf, receiptOf, type Transaction, transactionOf } from '../model.ts';
import type { Found, SearchRange } from './searched.ts';

/** How many blocks are searched at first, and on request. */
const [firstCount, earlierCount] = [50, 500];

interface AccountTransaction {
  transaction: Transaction;
  at: number;
  isSuccess: boolean | undefined;
}

/** The transactions of an account in as many blocks as are searched at a time. */
export async function scanBlocks(
  reader: Reader,
  address: string,
  { to, first, isEarlier = false }: SearchRange,
): Promise<Found<AccountTransaction>> {
  const count = Math.min(Number(to - first) + 1, isEarlier ? earlierCount : firstCount);
  const calls = Array.from(
    { length: count },
    (_, back) => ['eth_getBlockByNumber', `0x${(to - BigInt(back)).toString(16)}`, true] as const,
  );
  const answers = await reader.ask(calls);
  const mine = address.toLowerCase();
  const found = answers.flatMap(({ result }) => {
    const seconds = blockOf(result)?.at ?? 0;
    return listAt(result, 'transactions')
      .filter((one) => [at(one, 'from'), at(one, 'to')].some((end) => String(end).toLowerCase() === mine))
      .flatMap((one) => transactionOf(one) ?? [])
      .map((transaction) => ({ transaction, at: seconds }))
      .reverse();
  });
  const skipped = answers.filter(({ error }) => error).length;
  return { found: await withResults(reader, found), skipped, from: to - BigInt(count - 1) };
}

/** Of a list that is longer, the rest stays without its results. */
const maxResults = 200;

/** Whether each succeeded, where its receipt can be read. */
async function withResults(reader: Reader, found: readonly { transaction: Transaction; at: number }[]) {
  const calls = found
    .slice(0, maxResults)
    .map(({ transaction }) => ['eth_getTransactionReceipt', transaction.hash] as const);
  const answers = calls.length === 0 ? [] : await reader.ask(calls);
  return found.map((one, index) => ({ ...one, isSuccess: receiptOf(answers[index]?.result)?.isSuccess }));
}
