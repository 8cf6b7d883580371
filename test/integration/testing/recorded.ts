import type { RecordedTransaction } from '../../../core/api/rest/replay.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { parseLine } from '../../../core/recordings/recordedLines.ts';
import { createWalletReader } from '../../../operator/recording/chain.ts';

const batchBlocks = 200;

/** The transactions of an account after a block, as a recording stores them. */
export async function readRecorded(
  { url, address }: { url: string; address: string },
  from = 0,
): Promise<RecordedTransaction[]> {
  const rpc = createEvmRpc({ url, maxBytes: 256 * 1024 * 1024, timeoutMs: 60_000 });
  const reader = createWalletReader(rpc, address.toLowerCase());
  const { head, hashes } = await reader.look([from]);
  let after = { number: from, hash: hashes[0] ?? '' };
  const lines: string[] = [];
  while (after.number < head) {
    const { upTo, lines: found } = await reader.read(after, Math.min(batchBlocks, head - after.number));
    if (!upTo) throw new Error('the chain ended too early');
    lines.push(...found);
    after = upTo;
  }
  return lines.map((line) => parseLine(line).transaction);
}
