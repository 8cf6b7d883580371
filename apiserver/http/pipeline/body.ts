import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../core/lib/errors.ts';
import { parseJson } from './json.ts';

/**
 * The JSON value of a request's body, at most `limitBytes` long. Throws UnsupportedMediaType when it is not
 * announced as JSON, TooLarge when it is too long, BadRequest when it is unusable.
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
    throw new AppError('UnsupportedMediaType', 'send the body as JSON with Content-Type: application/json');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new AppError('UnsupportedMediaType', 'send the body as it is, without Content-Encoding');
  }
}

/** A body this much too long is read to its end, unkept: a client that still sends does not see an early answer. */
const discardedBytes = 16 * 1024 * 1024;

/** The bytes of a request's body; throws TooLarge when it is longer than `limitBytes`. */
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
  return new AppError('TooLarge', `the body is larger than ${limitBytes} bytes, the most for this request`);
}
