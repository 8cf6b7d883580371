import type { Reader } from '../../reader.ts';
import { type Log, logOf } from '../model.ts';
import type { SearchRange } from './searched.ts';

/** How many blocks are searched at a time: what the service allows in one call. */
const windowBlocks = 5000n;

const hex = (value: bigint): string => `0x${value.toString(16)}`;

/**
 * The logs that any of the filters (of eth_getLogs, without blocks) finds in as many blocks up to `to` as one call may search.
 * What two filters find is there twice.
 */
export async function searchLogs(
  reader: Reader,
  filters: readonly object[],
  { to, first }: SearchRange,
): Promise<{ logs: Log[]; from: bigint }> {
  const from = to - windowBlocks + 1n > first ? to - windowBlocks + 1n : first;
  const range = { fromBlock: hex(from), toBlock: hex(to) };
  const answers = await reader.ask(
    filters.map((filter) => ['eth_getLogs', { ...range, ...filter }] as const),
  );
  const failed = answers.find(({ error }) => error);
  if (failed?.error) throw new Error(failed.error.message);
  return { logs: answers.flatMap(({ result }) => (Array.isArray(result) ? result.map(logOf) : [])), from };
}
