import type { RecordingChunkSpec } from '../api/resources/recordingChunk.ts';
import { AppError } from '../lib/errors.ts';
import { shortHashOf } from '../lib/hash.ts';
import { unpackChunks } from './recordedLines.ts';

/** The name of a chunk follows from its place, so that a repeated write makes no second one. */
export function chunkNameOf(recordingUid: string, network: string, index: number): string {
  return `${recordingUid}-${shortHashOf(network)}-${index}`;
}

/** Gets a chunk by its index; undefined when there is none. */
export type GetChunk = (index: number) => Promise<RecordingChunkSpec | undefined>;

/**
 * The lines of the chunks before `end`, one text at a time, so that memory does not grow with their number. Throws
 * Unavailable when a chunk is missing or does not follow on those before it: a reader must not take a part for all.
 */
export async function* readChunks(get: GetChunk, end: number): AsyncGenerator<string[]> {
  let total = 0;
  let open: RecordingChunkSpec[] = [];
  for (let index = 0; index < end; index++) {
    const chunk = await get(index);
    if (!chunk) throw changed();
    open.push(chunk);
    if (chunk.continues) continue;
    const lines = await unpackChunks(open);
    open = [];
    total += lines.length;
    if (chunk.total !== total) throw changed();
    yield lines;
  }
}

function changed(): AppError {
  const message = 'the recording changed while it was read: a part of it is missing; retry';
  return new AppError('Unavailable', message, { retryAfterSeconds: 1 });
}
