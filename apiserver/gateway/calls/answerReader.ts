import { createNesting } from '../jsonrpc/nesting.ts';
import { type Answer, readAnswer } from './answer.ts';

/** Reads the answers in a message that comes in parts. It keeps the beginning and the end of one answer at a time. */
export interface AnswerReader {
  push(part: Buffer): void;
  /** The message is complete. */
  end(): void;
}

/** Where nodes write whether a call failed, and the id. */
const headBytes = 2048;
const tailBytes = 256;

const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;

/** `onAnswer` gets each answer of a batch, or the only one. */
export function createAnswerReader(onAnswer: (answer: Answer) => void): AnswerReader {
  const nesting = createNesting();
  const item = createItem();
  let form: 'unknown' | 'single' | 'batch' = 'unknown';
  const finish = () => {
    if (item.isEmpty()) return;
    onAnswer(item.take());
    nesting.reset();
  };

  function inBatch(part: Buffer, from: number): void {
    for (let at = from; at < part.length; ) {
      const byte = part[at] ?? 0;
      if (item.isEmpty() && (byte <= 0x20 || byte === comma || byte === closeBracket)) {
        at += 1;
        continue;
      }
      const end = nesting.endIn(part, at);
      item.add(part.subarray(at, end));
      if (end < part.length) finish();
      at = end;
    }
  }

  return {
    push(part) {
      const start = form === 'unknown' ? part.findIndex((byte) => byte > 0x20) : 0;
      if (start === -1) return;
      if (form === 'unknown') form = part[start] === openBracket ? 'batch' : 'single';
      else if (form === 'batch') return inBatch(part, 0);
      if (form === 'batch') return inBatch(part, start + 1);
      item.add(part.subarray(start));
    },
    end: finish,
  };
}

/** The beginning and the end of one answer. */
function createItem() {
  let head: Buffer[] = [];
  let headLength = 0;
  let tail = Buffer.alloc(0);
  return {
    isEmpty: () => headLength === 0,
    add(bytes: Buffer) {
      const first = bytes.subarray(0, headBytes - headLength);
      if (first.length > 0) head.push(Buffer.from(first));
      headLength += first.length;
      const rest = bytes.subarray(first.length);
      if (rest.length > 0)
        tail = Buffer.from(Buffer.concat([tail, rest.subarray(-tailBytes)]).subarray(-tailBytes));
    },
    take(): Answer {
      const answer = readAnswer(Buffer.concat(head).toString(), tail.toString());
      head = [];
      headLength = 0;
      tail = Buffer.alloc(0);
      return answer;
    },
  };
}
