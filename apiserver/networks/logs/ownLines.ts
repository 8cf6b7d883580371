import { firstOwnLine, lastOwnLine, probeLine } from '../../../core/chains/evm/ownCalls.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { createLineReader } from '../../../core/lib/text/lines.ts';
import { lookMethod } from '../../../core/networks/heads/subscriptions.ts';

/** What liveness checks write while nobody uses a network, for longer than a network runs unused, and what indexes read of a chain. */
const longestPause = 30_000;
const ownLines: ReadonlySet<string> = new Set([probeLine, lookMethod]);

/** Whether the engine of a pod writes a line for each liveness check. */
export function isProbed({ spec: { containers } }: Pick<Pod, 'spec'>): boolean {
  return containers[0]?.livenessProbe !== undefined;
}

/** Reads of a batch. */
const longestBatch = 1_000;
const method = /^(debug|eth|trace)_\w+$/;

/** Tells of each line of a log, in their order, whether it is of a call of Slipway's own. */
export function createOwnLines(): (line: string) => boolean {
  let left = 0;
  return (line) => {
    if (line === firstOwnLine || line === lastOwnLine) {
      left = line === firstOwnLine ? longestBatch : 0;
      return true;
    }
    const isInBatch = left > 0 && method.test(line);
    if (isInBatch) left -= 1;
    return isInBatch || ownLines.has(line);
  };
}

/**
 * How many last lines of a log have `wanted` lines that are not of Slipway's own calls. `read` returns the last lines of the log;
 * it may leave the last ones out after `limitBytes`, and then nothing is known about them.
 */
export async function tailWithOwnLines(
  wanted: number,
  limitBytes: number,
  read: (tailLines: number) => Promise<AsyncIterable<string>>,
): Promise<number> {
  let [bytes, count] = [0, 0];
  const reader = createLineReader();
  const isOwn = createOwnLines();
  /** The number of each line that counts. */
  const wantedAt: number[] = [];
  for await (const piece of await read(wanted + longestPause)) {
    bytes += Buffer.byteLength(piece);
    for (const line of reader.push(piece)) {
      if (!isOwn(line)) wantedAt.push(count);
      count += 1;
    }
  }
  if (bytes >= limitBytes || wanted === 0) return wanted;
  const first = wantedAt.at(-wanted);
  return first === undefined ? count + 1 : count - first;
}
