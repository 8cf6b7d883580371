import type { RecordingChunkSpec } from '../api/resources/recordingChunk.ts';
import type { RecordedTransaction } from '../api/rest/replay.ts';
import { unpackLines } from '../lib/json/packedLines.ts';

/** A recorded transaction with the hash of its block, which reveals a chain reorganization. */
export interface RecordedLine {
  block_hash: string;
  transaction: RecordedTransaction;
}

/** One line of JSON. */
export function formatLine({ block_hash, transaction }: RecordedLine): string {
  return JSON.stringify({ block_hash, ...transaction });
}

/** The inverse of `formatLine`. Not validated: only this service writes chunks. */
export function parseLine(line: string): RecordedLine {
  const { block_hash, ...transaction }: { block_hash: string } & RecordedTransaction = JSON.parse(line);
  return { block_hash, transaction };
}

/** The lines of consecutive chunks, without those that continue in a missing chunk. */
export async function unpackChunks(
  chunks: Iterable<Pick<RecordingChunkSpec, 'data' | 'continues'>>,
): Promise<string[]> {
  const lines: string[] = [];
  let parts: string[] = [];
  for (const { data, continues } of chunks) {
    parts.push(data);
    if (continues) continue;
    // A chunk that a reorganization left empty has no lines.
    for (const line of await unpackLines(parts.join(''))) lines.push(line);
    parts = [];
  }
  return lines;
}
