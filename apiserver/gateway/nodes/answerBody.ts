import { type BodyLength, malformed } from './answerHead.ts';

/** Finds the body of an answer in the bytes of a connection. */
export interface AnswerBody {
  /**
   * Calls `take` with the parts of the body in `chunk` from `start` on. Returns the index after the body, or undefined if the
   * body goes on. Throws if it is malformed.
   */
  read(chunk: Buffer, start: number, take: (part: Buffer) => void): number | undefined;
  /** Whether the body is complete when the connection ends here. */
  readonly endsWithConnection: boolean;
}

export function createAnswerBody(length: BodyLength): AnswerBody {
  if (length === 'chunked') return createChunkedBody();
  return createPlainBody(length === 'untilClose' ? undefined : length);
}

function createPlainBody(length: number | undefined): AnswerBody {
  let left = length ?? Number.POSITIVE_INFINITY;
  return {
    endsWithConnection: length === undefined,
    read(chunk, start, take) {
      const end = Math.min(chunk.length, start + left);
      if (end > start) take(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end));
      left -= end - start;
      return left === 0 ? end : undefined;
    },
  };
}

/** The longest line with the size of a chunk and its extensions, and the longest field after the last chunk. */
const maxLineLength = 4096;
const maxTrailers = 64;
const chunkSize = /^([0-9a-fA-F]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const trailer = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;

type State = 'size' | 'data' | 'dataEnd' | 'trailers' | 'done';

/** The chunked coding (RFC 9112, 7.1). Extensions and trailers are dropped. */
function createChunkedBody(): AnswerBody {
  let state: State = 'size';
  let left = 0;
  let line = '';
  let trailers = 0;
  /** What follows a line. */
  const after = (text: string): State => {
    if (state === 'dataEnd') return text === '' ? 'size' : failed();
    if (state === 'size') {
      left = Number.parseInt(chunkSize.exec(text)?.[1] ?? failed(), 16);
      return left === 0 ? 'trailers' : 'data';
    }
    trailers += 1;
    return afterTrailer(text, trailers);
  };
  /** Reads on to the end of a line, or of the chunk. */
  const readLine = (chunk: Buffer, at: number): number => {
    const newline = chunk.indexOf(0x0a, at);
    const end = newline === -1 ? chunk.length : newline + 1;
    line += chunk.toString('latin1', at, end);
    if (line.length > maxLineLength) failed();
    if (newline === -1) return end;
    if (!line.endsWith('\r\n')) failed();
    state = after(line.slice(0, -2));
    line = '';
    return end;
  };
  return {
    endsWithConnection: false,
    read(chunk, start, take) {
      let at = start;
      while (at < chunk.length && state !== 'done') {
        if (state !== 'data') {
          at = readLine(chunk, at);
          continue;
        }
        const end = Math.min(chunk.length, at + left);
        take(chunk.subarray(at, end));
        left -= end - at;
        at = end;
        if (left === 0) state = 'dataEnd';
      }
      return state === 'done' ? at : undefined;
    },
  };
}

function afterTrailer(text: string, count: number): State {
  if (text === '') return 'done';
  return count <= maxTrailers && trailer.test(text) ? 'trailers' : failed();
}

function failed(): never {
  throw malformed('chunked body');
}
