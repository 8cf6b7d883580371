import type { IncomingMessage } from 'node:http';
import { systemClock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { type ParsedJson, parseJsonInTurns } from './json.ts';
import { discardedBytes, type ReceiveOptions, receive } from './receive.ts';

/** How many heap bytes a body may occupy for each byte of the largest one. Recorded transactions occupy two. */
const heapPerByte = 2.5;

interface ReadOptions {
  /** Called when it is known what the body has, before it is parsed. */
  onCounted(size: { count: number; bytes: number }): void;
}

/**
 * The JSON value of a request's body. Throws UnsupportedMediaType if its Content-Type is not JSON, BadRequest if it is
 * invalid, TooLarge if it is larger than the request accepts, as sent or as parsed, and as `receive` does.
 */
export async function readJsonBody(
  request: IncomingMessage,
  { onCounted, ...options }: Omit<ReceiveOptions, 'discardedBytes'> & ReadOptions,
): Promise<ParsedJson> {
  checkContentType(request);
  const bytes = await receive(request, { ...options, discardedBytes });
  if (!bytes) throw new AppError('BadRequest', 'the body ended before it was complete');
  if (bytes.length === 0) throw new AppError('BadRequest', 'the body is empty: send a JSON object');
  const { limitBytes, hold } = options;
  const parsed = await parseJsonInTurns(bytes, {
    maxHeapBytes: limitBytes * heapPerByte,
    take: hold.take,
    onCounted: (count) => onCounted({ count, bytes: bytes.length }),
  });
  hold.give(bytes.length);
  return parsed;
}

function checkContentType(request: IncomingMessage): void {
  const given = request.headers['content-type'] ?? '';
  const [mediaType = '', ...parameters] = given.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (mediaType !== 'application/json' || !isUtf8) {
    throw new AppError(
      'UnsupportedMediaType',
      'the Content-Type is not supported: send JSON in UTF-8 with Content-Type: application/json',
    );
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new AppError(
      'UnsupportedMediaType',
      'a body with Content-Encoding is not supported: send it uncompressed',
    );
  }
}

/** The bytes of a request's body. Throws TooLarge if it is longer than `limitBytes`. For callers that are trusted. */
export async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const hold = { take: () => undefined, give: () => undefined, release: () => undefined };
  const bytes = await receive(request, { limitBytes, discardedBytes, hold, clock: systemClock });
  if (!bytes) throw new AppError('BadRequest', 'the body ended before it was complete');
  return bytes;
}
