import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../core/lib/errors.ts';

/** Bytes of request bodies that are in memory now, over all requests. */
export interface BodyBudget {
  used: number;
  readonly max: number;
}

export interface Body {
  bytes: Buffer;
  /** Gives the bytes back to the budget; to be called once the request is answered. */
  release(): void;
}

/**
 * Reads a request's body of at most `maxBytes`. Fails with TooLarge, with UnsupportedMediaType for a compressed one,
 * with Unavailable when the budget is spent; resolves to undefined when the caller went away.
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
    return new AppError('UnsupportedMediaType', 'send the body without Content-Encoding');
  }
  return Number(request.headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('TooLarge', `the body is larger than ${maxBytes} bytes`);
}

function overloaded(): AppError {
  return new AppError('Unavailable', 'too many large requests at once', { retryAfterSeconds: 1 });
}

function joined(chunks: Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}
