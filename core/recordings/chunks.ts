import type { RecordingChunkSpec } from '../api/resources/recordingChunk.ts';
import { AppError } from '../lib/errors.ts';
import { shortHashOf } from '../lib/hash.ts';
import { unpackChunks } from './recordedLines.ts';

/** The name of a chunk follows from its place, so that a repeated write makes no second one. */
export function chunkNameOf(recordingUid: string, network: string, index: number): string {
  return `${recordingUid}-${shortHashOf(network)}-${index}`;
}

/** The same for a text that recordings share. */
export function sharedChunkNameOf(source: string, index: number): string {
  return `${source}-${index}`;
}

/** Gets a chunk by its index; undefined when there is none. */
export type GetChunk = (index: number) => Promise<RecordingChunkSpec | undefined>;

/** The chunks of a recording on one network. */
export interface RecordedChunks {
  get: GetChunk;
  /** Those of a text that it shares with other recordings. */
  getShared(source: string, index: number): Promise<RecordingChunkSpec | undefined>;
}

/**
 * The lines of the chunks before `end`, one text at a time, so that memory does not grow with their number. Throws
 * Unavailable when a chunk is missing or does not follow on those before it: a reader must not take a part for all.
 */
export async function* readChunks({ get, getShared }: RecordedChunks, end: number): AsyncGenerator<string[]> {
  let total = 0;
  let open: RecordingChunkSpec[] = [];
  for (let index = 0; index < end; index++) {
    const chunk = await get(index);
    if (!chunk) throw changed();
    open.push(chunk);
    if (chunk.continues) continue;
    const { source } = chunk;
    const lines = source ? await readShared((at) => getShared(source, at)) : await unpackChunks(open);
    open = [];
    total += lines.length;
    if (chunk.total !== total) throw changed();
    yield lines;
  }
}

/** The lines of a text that recordings share. Throws Unavailable when a part of it is missing. */
export async function readShared(get: GetChunk): Promise<string[]> {
  const chunks: RecordingChunkSpec[] = [];
  do {
    const chunk = await get(chunks.length);
    if (!chunk) throw changed();
    chunks.push(chunk);
  } while (chunks.at(-1)?.continues);
  return unpackChunks(chunks);
}

function changed(): AppError {
  const message = 'the recording changed while it was read: a part of it is missing; retry';
  return new AppError('Unavailable', message, { retryAfterSeconds: 1 });
}
