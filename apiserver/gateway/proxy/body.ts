import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../core/lib/errors.ts';

/** Bytes of request bodies in memory, across all requests. */
export interface BodyBudget {
  used: number;
  readonly max: number;
}

export interface Body {
  bytes: Buffer;
  /** Returns the bytes to the budget. Call it once the request is answered. */
  release(): void;
}

/**
 * Reads a request's body of at most `maxBytes`. Rejects with TooLarge, with UnsupportedMediaType for a compressed
 * body, and with Unavailable if the budget is exhausted. Resolves to undefined if the caller disconnects.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
): Promise<Body | undefined> {
  const refusal = refusalOf(request, maxBytes);
  if (refusal) return Promise.reject(refusal);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const release = () => {
      budget.used -= length;
      length = 0;
    };
    const fail = (error: AppError) => {
      request.off('data', take);
      request.pause();
      release();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      budget.used += chunk.length;
      if (length > maxBytes) return fail(tooLarge(maxBytes));
      if (budget.used > budget.max) return fail(overloaded());
      chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => resolve({ bytes: joined(chunks), release }));
    request.once('close', () => {
      if (request.complete) return;
      release();
      resolve(undefined);
    });
  });
}

function refusalOf(request: IncomingMessage, maxBytes: number): AppError | undefined {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return new AppError(
      'UnsupportedMediaType',
      'a body with Content-Encoding is not supported: send it uncompressed',
    );
  }
  return Number(request.headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('TooLarge', `the body is too large: send at most ${maxBytes} bytes`);
}

function overloaded(): AppError {
  return new AppError('Unavailable', 'the gateway has too many request bodies in memory; retry', {
    retryAfterSeconds: 1,
  });
}

function joined(chunks: Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}
