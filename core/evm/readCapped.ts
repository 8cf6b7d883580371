import { AppError, isAppError } from '../lib/errors.ts';
import { codes } from '../lib/json/codes.ts';
import { createLeaveOut } from '../lib/json/leaveOut.ts';

/** What is read of a node's answer. */
export interface Caps {
  /** The most bytes of it that are kept. */
  maxBytes: number;
  /** A list in it that nobody looks at. It is read and not kept. */
  leaveOut?: string;
}

const tooLong = new Error('the answer is too long');
/** The most bytes that are read of an answer of which a part is left out. */
const maxRead = 64 * 1024 * 1024;
/**
 * A text is parsed at once, which takes up to a microsecond for each value in it, and the value up to two hundred bytes, however short its
 * text is.
 */
const maxValues = 250_000;

/**
 * A body of JSON as text. Throws Unavailable when more would have to be kept, or when it has more than 250,000 values; the rest is not
 * read.
 */
export async function readCapped(body: AsyncIterable<Buffer>, { maxBytes, leaveOut }: Caps): Promise<string> {
  const keep = leaveOut === undefined ? (chunk: Buffer) => chunk : createLeaveOut(leaveOut);
  const chunks: Buffer[] = [];
  let read = 0;
  let length = 0;
  let values = 0;
  for await (const chunk of body) {
    const kept = keep(chunk);
    read += chunk.length;
    length += kept.length;
    values += countBeginnings(kept);
    // Leaving the loop destroys the body, and its connection with it.
    if (length > maxBytes) throw longerThan(`${maxBytes} bytes`);
    if (leaveOut !== undefined && read > maxRead) throw longerThan(`${maxRead} bytes`);
    if (values > maxValues) throw longerThan(`${maxValues} values`);
    chunks.push(kept);
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
