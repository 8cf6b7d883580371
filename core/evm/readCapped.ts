import { AppError, isAppError } from '../lib/errors.ts';
import { codes } from '../lib/json/codes.ts';

const tooLong = new Error('the answer is too long');
/** A value takes some fifty bytes once it is parsed, however short its text is. Those of nodes have more on average. */
const leastBytesOfValue = 16;
const maxValues = 1_000_000;

/**
 * A body of JSON of at most `maxBytes`, and at most as many values as are usual in so many bytes, as text. Throws Unavailable when it has
 * more; the rest is not read.
 */
export async function readCapped(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  const most = Math.min(maxValues, Math.ceil(maxBytes / leastBytesOfValue));
  let length = 0;
  let values = 0;
  for await (const chunk of body) {
    length += chunk.length;
    values += countBeginnings(chunk);
    // Leaving the loop destroys the body, and its connection with it.
    if (length > maxBytes) throw longerThan(`${maxBytes} bytes`);
    if (values > most) throw longerThan(`${most} values`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function longerThan(most: string): AppError {
  const message = `the network's node cannot be used: its answer is longer than ${most}`;
  return new AppError('Unavailable', message, { cause: tooLong });
}

/** No less than the number of values that begin in a piece of JSON: each follows one of these characters. */
function countBeginnings(chunk: Buffer): number {
  let count = 0;
  // An iterator would take ten times as long.
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at];
    if (byte === codes.comma || byte === codes.brace || byte === codes.bracket) count++;
  }
  return count;
}

/** Whether a node could not be used because its answer is longer than what is read of one. */
export function isTooLong(error: unknown): boolean {
  return isAppError(error) && error.cause === tooLong;
}
