import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RecordingChunkSpec } from '../api/resources/recordingChunk.ts';
import type { RecordedTransaction } from '../api/rest/replay.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Consecutive chunks that form one text must not unpack to more than this. */
const maxUnpackedBytes = 128 * 1024 * 1024;

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

/** Lines as chunks hold them: Base64 of gzip. */
export async function packLines(lines: readonly string[]): Promise<string> {
  return (await zip(lines.join('\n'))).toString('base64');
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
    const text = await unzip(Buffer.from(parts.join(''), 'base64'), { maxOutputLength: maxUnpackedBytes });
    // A chunk that a reorganization left empty has no lines.
    if (text.length > 0) for (const line of text.toString('utf8').split('\n')) lines.push(line);
    parts = [];
  }
  return lines;
}
