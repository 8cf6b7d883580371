import { Transform } from 'node:stream';
import type { CallAnswer } from '../policy/screen.ts';
import { createNesting } from './nesting.ts';

/** Puts the gateway's own error objects into the node's answer to the rest of a batch, each in the place of its call. */
export interface Splicer {
  /** What the client is sent for a part of the node's answer. */
  push(chunk: Buffer): Buffer[];
  /** What it is sent after the last part. */
  end(): Buffer[];
}

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Nodes answer the calls of a batch in order, so nothing of the answer is held back. A single object instead of an array
 * becomes an item; what the node does not answer is left out.
 */
export function createSplicer(answers: readonly CallAnswer[]): Splicer {
  const items = createItems(answers);
  const nesting = createNesting();
  let place: 'begin' | 'between' | 'inItem' | 'after' = 'begin';

  /** Both go on from `at`, and return where the next step goes on. */
  function inItem(chunk: Buffer, at: number): number {
    const end = nesting.endIn(chunk, at);
    items.put(chunk.subarray(at, end));
    if (end < chunk.length) place = 'between';
    return end;
  }
  function between(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    if (byte <= 0x20 || byte === comma) return at + 1;
    if (byte === (place === 'begin' ? openBracket : closeBracket)) {
      place = place === 'begin' ? 'between' : 'after';
      return at + 1;
    }
    items.begin();
    nesting.reset();
    place = 'inItem';
    return at;
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length && place !== 'after'; ) {
        at = place === 'inItem' ? inItem(chunk, at) : between(chunk, at);
      }
      return items.take();
    },
    end() {
      items.end();
      return items.take();
    },
  };
}

/** Writes an array with the refusals in their places. */
function createItems(answers: readonly CallAnswer[]) {
  let out: Buffer[] = [];
  let next = 0;
  let separator = '[';
  const put = (bytes: Buffer) => void out.push(bytes);
  const separate = () => {
    put(Buffer.from(separator));
    separator = ',';
  };
  const refuse = ({ refusal }: { refusal: string }) => {
    separate();
    put(Buffer.from(refusal));
  };
  return {
    /** Before an item of the node. */
    begin() {
      for (let answer = answers[next]; answer && 'refusal' in answer; answer = answers[++next])
        refuse(answer);
      separate();
      next += 1;
    },
    put,
    end() {
      for (const answer of answers.slice(next)) if ('refusal' in answer) refuse(answer);
      put(Buffer.from(separator === '[' ? '[]' : ']'));
    },
    take() {
      const parts = out;
      out = [];
      return parts;
    },
  };
}

/** The same as a stream, for an answer that is not held in memory. */
export function createSplice(answers: readonly CallAnswer[]): Transform {
  const splicer = createSplicer(answers);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const part of splicer.push(chunk)) this.push(part);
      done();
    },
    flush(done) {
      for (const part of splicer.end()) this.push(part);
      done();
    },
  });
}
