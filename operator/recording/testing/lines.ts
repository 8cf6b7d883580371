import { createHash, randomBytes } from 'node:crypto';
import type { RecordedTransaction } from '../../../core/api/rest/replay.ts';
import { formatLine } from '../../../core/recordings/recordedLines.ts';
import type { BlockRef } from '../blocks.ts';

/** The hash of a block of a test chain; another one on another branch. */
export function blockHashOf(number: number, branch = ''): string {
  return `0x${createHash('sha256').update(`${branch}${number}`).digest('hex')}`;
}

interface CaptureOptions {
  blocks: number;
  /** Of calldata in each transaction, incompressible. */
  bytes: number;
  perBlock?: number;
  first?: number;
  branch?: string;
}

/** What a recording captures of a wallet that sends transactions in each block. */
export function captureOf({ blocks, bytes, perBlock = 1, first = 1, branch }: CaptureOptions): {
  lines: string[];
  refs: BlockRef[];
} {
  const lines: string[] = [];
  const refs: BlockRef[] = [];
  for (let number = first; number < first + blocks; number++) {
    const hash = blockHashOf(number, branch);
    refs.push({ number, hash });
    for (let at = 0; at < perBlock; at++) lines.push(lineIn({ number, hash }, bytes));
  }
  return { lines, refs };
}

export function lineIn({ number, hash }: BlockRef, bytes: number): string {
  const transaction: RecordedTransaction = {
    hash: `0x${randomBytes(32).toString('hex')}`,
    from: `0x${'a'.repeat(40)}`,
    value: '0',
    data: `0x${randomBytes(bytes).toString('hex')}`,
    nonce: number,
    gas_limit: 21_000,
    block: number,
    timestamp: '2026-01-15T09:30:00Z',
    status: 'success' as const,
  };
  return formatLine({ block_hash: hash, transaction });
}
