import { AppError, isAppError } from '../lib/errors.ts';

const tooLong = new Error('the answer is too long');

/** A body of at most `maxBytes` as text. Throws Unavailable when it is longer; the rest is not read. */
export async function readCapped(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) {
      // Leaving the loop destroys the body, and its connection with it.
      const message = `the network's node cannot be used: its answer is longer than ${maxBytes} bytes`;
      throw new AppError('Unavailable', message, { cause: tooLong });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether a node could not be used because its answer is longer than what is read of one. */
export function isTooLong(error: unknown): boolean {
  return isAppError(error) && error.cause === tooLong;
}
