import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../../../core/lib/clock.ts';

/** How long a client may take nothing of an answer. */
const longestIdleMs = 120_000;

/**
 * Answers with JSON, as text or UTF-8, or with no body if it is undefined. Writes directly to the response: the `send`
 * of express answers 304 based on the ETag, but the ETag of a network only covers its spec, not the status that
 * callers poll for.
 */
export function sendJson(response: ServerResponse, status: number, json: string | Buffer | undefined): void {
  response.statusCode = status;
  if (json === undefined) return void response.end();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  // Until the answer is taken: node sees how much of it is left.
  response.setTimeout(longestIdleMs, () => response.destroy());
  response.end(json);
}

/** Calls `work` when the client has taken all of an answer that was sent, or is gone: until then it occupies memory. */
export function whenTaken(response: ServerResponse, work: () => void): void {
  if (response.writableFinished || response.destroyed) return void work();
  response.once('close', work);
}

/**
 * Answers with a JSON text that comes in parts, each read when the client has taken those before it. A failure before
 * the first part rejects before anything is sent. A later one closes the connection without the end of the body, so
 * that no client takes a part of the text for all of it.
 */
export async function streamJson(
  response: ServerResponse,
  status: number,
  parts: AsyncIterable<string>,
): Promise<void> {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  await stream(response, { first, iterator, idleMs: longestIdleMs });
}

/** How a text is sent. */
export interface TextReply {
  status: number;
  contentType: string;
  /** How long the client may take nothing of it. */
  idleMs?: number;
}

/** Answers with text as it comes: the head is sent at once, and the source ends when the client is gone. */
export async function streamText(
  response: ServerResponse,
  { status, contentType, idleMs = longestIdleMs }: TextReply,
  parts: AsyncIterable<string>,
): Promise<void> {
  const iterator = parts[Symbol.asyncIterator]();
  response.setHeader('Content-Type', `${contentType}; charset=utf-8`);
  response.setHeader('X-Accel-Buffering', 'no');
  response.once('close', () => void iterator.return?.());
  if (response.destroyed) void iterator.return?.();
  response.statusCode = status;
  response.flushHeaders();
  await stream(response, { first: { value: '', done: false }, iterator, idleMs });
}

interface Parts {
  first: IteratorResult<string>;
  iterator: AsyncIterator<string>;
  idleMs: number;
}

async function stream(response: ServerResponse, parts: Parts): Promise<void> {
  if (response.req.method === 'HEAD') {
    await parts.iterator.return?.();
    return void response.end();
  }
  try {
    const taken = takenParts(parts, () => response.destroy());
    await pipeline(Readable.from(taken, { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // There is nobody left to tell.
    if (!isClosedByClient(error)) throw error;
  }
}

/** The same text in parts of at least `length` characters, except for the last one. */
export async function* joined(parts: AsyncIterable<string>, length: number): AsyncGenerator<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length < length) continue;
    yield text;
    text = '';
  }
  if (text.length > 0) yield text;
}

async function* takenParts({ first, iterator, idleMs }: Parts, onIdle: () => void): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) {
      const cancel = systemClock.after(idleMs, onIdle);
      try {
        yield next.value;
      } finally {
        cancel();
      }
    }
  } finally {
    await iterator.return?.();
  }
}

function isClosedByClient(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ERR_STREAM_PREMATURE_CLOSE';
}
