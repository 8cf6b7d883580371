import { probeLine } from '../../../core/chains/evm/probeLine.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { createLineReader } from '../../../core/lib/text/lines.ts';

/** What liveness checks write while nobody uses a network, for longer than a network runs unused. */
const longestPause = 10_000;

/** Whether the engine of a pod writes a line for each liveness check. */
export function isProbed({ spec: { containers } }: Pick<Pod, 'spec'>): boolean {
  return containers[0]?.livenessProbe !== undefined;
}

/** Lines without those of liveness checks. */
export function withoutProbes(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== probeLine);
}

/**
 * How many last lines of a log have `wanted` lines that are not of liveness checks. `read` returns the last lines of the log;
 * it may leave the last ones out after `limitBytes`, and then nothing is known about them.
 */
export async function tailWithProbes(
  wanted: number,
  limitBytes: number,
  read: (tailLines: number) => Promise<AsyncIterable<string>>,
): Promise<number> {
  let [bytes, count] = [0, 0];
  const reader = createLineReader();
  /** The number of each line that counts. */
  const own: number[] = [];
  for await (const piece of await read(wanted + longestPause)) {
    bytes += Buffer.byteLength(piece);
    for (const line of reader.push(piece)) {
      if (line !== probeLine) own.push(count);
      count += 1;
    }
  }
  if (bytes >= limitBytes || wanted === 0) return wanted;
  const first = own.at(-wanted);
  return first === undefined ? count + 1 : count - first;
}
