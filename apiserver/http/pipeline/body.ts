import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../core/lib/errors.ts';
import { parseJson } from './json.ts';

/**
 * The JSON value of a request's body of at most `limitBytes`. Throws UnsupportedMediaType if its Content-Type is not
 * JSON, TooLarge if it is too long, BadRequest if it is invalid.
 */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  checkContentType(request);
  const bytes = await readBytes(request, limitBytes);
  if (bytes.length === 0) throw new AppError('BadRequest', 'the body is empty: send a JSON object');
  return parseJson(bytes);
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

/** A body up to this much too long is read and discarded, because a client that is still sending misses the answer. */
const discardedBytes = 16 * 1024 * 1024;

/** The bytes of a request's body. Throws TooLarge if it is longer than `limitBytes`. */
export function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limitBytes + discardedBytes) return Promise.reject(tooLarge(limitBytes));
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limitBytes) chunks.push(chunk);
      else chunks = [];
      if (length > limitBytes + discardedBytes) reject(tooLarge(limitBytes));
    });
    request.once('end', () =>
      length > limitBytes ? reject(tooLarge(limitBytes)) : resolve(Buffer.concat(chunks)),
    );
    request.once('error', () => reject(new AppError('BadRequest', 'the body ended before it was complete')));
  });
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('TooLarge', `the body is too large: this request accepts at most ${limitBytes} bytes`);
}
