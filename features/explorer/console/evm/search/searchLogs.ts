import type { Reader } from '../../reader.ts';
import { type Log, logOf } from '../model.ts';
import type { SearchRange } from './searched.ts';

/** How many blocks are searched at a time: what the service allows in one call. */
const windowBlocks = 5000n;

const hex = (value: bigint): string => `0x${value.toString(16)}`;

/** The logs that a filter of eth_getLogs, without blocks, finds in as many blocks up to `to` as one call may search. */
export async function searchLogs(
  reader: Reader,
  filter: object,
  { to, first }: SearchRange,
): Promise<{ logs: Log[]; from: bigint }> {
  const from = to - windowBlocks + 1n > first ? to - windowBlocks + 1n : first;
  const whole = { ...filter, fromBlock: hex(from), toBlock: hex(to) };
  const logs = await reader.one('eth_getLogs', whole);
  return { logs: Array.isArray(logs) ? logs.map(logOf) : [], from };
}
