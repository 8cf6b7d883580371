import type { BodyLength } from './answerHead.ts';
import { createChunkSize, failed, maxLineLength } from './chunkSize.ts';

/** Finds the body of an answer in the bytes of a connection. */
export interface AnswerBody {
  /**
   * Takes the body out of `bytes`, from `start` on. In `bytes`, the content of chunks is moved together: however many they are, it is
   * one part. Throws if the body is malformed.
   */
  read(bytes: Buffer, start: number): BodyPart;
  /** Whether the body is complete when the connection ends here. */
  readonly endsWithConnection: boolean;
}

interface BodyPart {
  /** Undefined: there is no content in these bytes. */
  part: Buffer | undefined;
  /** The index after the body; undefined: it goes on. */
  end: number | undefined;
}

export function createAnswerBody(length: BodyLength): AnswerBody {
  if (length === 'chunked') return createChunkedBody();
  return createPlainBody(length === 'untilClose' ? undefined : length);
}

function createPlainBody(length: number | undefined): AnswerBody {
  let left = length ?? Number.POSITIVE_INFINITY;
  return {
    endsWithConnection: length === undefined,
    read(bytes, start) {
      const end = Math.min(bytes.length, start + left);
      left -= end - start;
      return { part: partOf(bytes, start, end), end: left === 0 ? end : undefined };
    },
  };
}

function partOf(bytes: Buffer, from: number, to: number): Buffer | undefined {
  if (from === to) return undefined;
  return from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);
}

/** The chunked coding (RFC 9112, 7.1). Extensions and trailers are dropped. */
function createChunkedBody(): AnswerBody {
  const readSize = createChunkSize();
  const trailers = createTrailers();
  let left = 0;
  let isLast = false;
  const takeSize = (byte: number | undefined): void => {
    const size = readSize(byte ?? failed());
    if (size === undefined) return;
    left = size;
    isLast = size === 0;
  };
  return {
    endsWithConnection: false,
    read(bytes, start) {
      let at = start;
      let [from, to] = [start, start];
      while (at < bytes.length && !isLast) {
        if (left === 0) {
          takeSize(bytes[at]);
          at += 1;
          continue;
        }
        if (from === to) [from, to] = [at, at];
        const end = Math.min(bytes.length, at + left);
        bytes.copyWithin(to, at, end);
        to += end - at;
        left -= end - at;
        at = end;
      }
      const part = partOf(bytes, from, to);
      return { part, end: isLast ? trailers.read(bytes, at) : undefined };
    },
  };
}

const maxTrailers = 64;
const trailer = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;

/** The fields after the last chunk. */
function createTrailers() {
  let line = '';
  let count = 0;
  /** Reads on to the end of a line. Returns whether it was the last one. */
  const take = (text: string): boolean => {
    line += text;
    if (line.length > maxLineLength) failed();
    if (!text.endsWith('\n')) return false;
    if (line === '\r\n') return true;
    count += 1;
    const isField = line.endsWith('\r\n') && trailer.test(line.slice(0, -2));
    if (!isField || count > maxTrailers) failed();
    line = '';
    return false;
  };
  return {
    /** The index after the last line; undefined: there are more. */
    read(bytes: Buffer, start: number): number | undefined {
      for (let at = start; at < bytes.length; ) {
        const newline = bytes.indexOf(0x0a, at);
        const end = newline === -1 ? bytes.length : newline + 1;
        if (take(bytes.toString('latin1', at, end))) return end;
        at = end;
      }
      return undefined;
    },
  };
}
