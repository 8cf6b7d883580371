import { batchLine, probeLine } from '../../../core/chains/evm/ownCalls.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { createLineReader } from '../../../core/lib/text/lines.ts';
import { lookMethod } from '../../../core/networks/heads/subscriptions.ts';

/** How many lines more than wanted are read at first. Where these are not enough, it is four times as many. */
const firstLook = 10_000;

/** Whether the engine of a pod writes a line for each liveness check. */
export function isProbed({ spec: { containers } }: Pick<Pod, 'spec'>): boolean {
  return containers[0]?.livenessProbe !== undefined;
}

/** What a batch of the index has at most, and its methods (features/explorer/server/history). */
const longestBatch = 200;
const batched: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'trace_block',
  'debug_traceBlockByNumber',
]);

/** Tells of each line of a log, in their order, whether it is of a call of Slipway's own. */
interface OwnLines {
  has(line: string): boolean;
  /** Lines that the batch under way may still have; 0 where there is none. */
  left(): number;
}

/** `left`: of the batch in which the log begins. */
export function createOwnLines(left = 0): OwnLines {
  let leftNow = left;
  let wasMark = false;
  return {
    has(line) {
      const isMark = line === batchLine;
      // A single one ends a batch, also where the log begins in it.
      if (isMark) leftNow = wasMark ? longestBatch : 0;
      wasMark = isMark;
      if (isMark || line === probeLine) return true;
      const isInBatch = leftNow > 0 && batched.has(line);
      if (isInBatch) leftNow -= 1;
      return isInBatch || line === lookMethod;
    },
    left: () => leftNow,
  };
}

/** Where a log is read from: so many of its last lines, within a batch of which so many lines may be left. */
export interface Tail {
  lines: number;
  left: number;
}

/**
 * The last lines of a log that have `wanted` lines which are not of Slipway's own calls. `read` returns the last lines of the log;
 * it may leave the last ones out after `limitBytes`, and then nothing is known about them.
 */
export async function tailWithOwnLines(
  wanted: number,
  limitBytes: number,
  read: (tailLines: number) => Promise<AsyncIterable<string>>,
): Promise<Tail> {
  for (let look = firstLook; wanted > 0; look *= 4) {
    const { bytes, count, others } = await looked(await read(wanted + look));
    if (bytes >= limitBytes) break;
    const first = others.at(-wanted);
    if (first) return { lines: count - first.at, left: first.left };
    if (count < wanted + look) return { lines: count + 1, left: 0 };
  }
  return { lines: wanted, left: 0 };
}

async function looked(pieces: AsyncIterable<string>) {
  let [bytes, count] = [0, 0];
  const reader = createLineReader();
  const own = createOwnLines();
  /** The number of each line that is not of Slipway's own calls, and what was left of a batch there. */
  const others: { at: number; left: number }[] = [];
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    for (const line of reader.push(piece)) {
      if (!own.has(line)) others.push({ at: count, left: own.left() });
      count += 1;
    }
  }
  return { bytes, count, others };
}
