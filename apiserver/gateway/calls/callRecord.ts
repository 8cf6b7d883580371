import { Transform, type Writable } from 'node:stream';
import type { Clock } from '../../../core/lib/clock.ts';
import { keptText } from '../../../core/lib/keptBytes.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import type { RpcCall, RpcFault } from '../jsonrpc/envelope.ts';
import { through } from '../jsonrpc/through.ts';
import { type Answer, readAnswer } from './answer.ts';
import { type AnswerReader, createAnswerReader } from './answerReader.ts';
import type { CallError, ObservedCall, TakeCall } from './observed.ts';
import { shownParams, shownText } from './shownParams.ts';

/** Follows the calls of one message, or of one connection, until each has its answer. */
export interface CallRecord {
  /** A call of a message, with what it is refused with. */
  note(item: RpcCall | RpcFault, refusal: string | undefined): void;
  /** A whole message that the caller is sent. */
  read(message: Buffer | string): void;
  /** Passes an answer on to the caller and reads it meanwhile. */
  through(target: Writable): Writable;
  /** Nothing more is answered. */
  fail(message: string): void;
}

interface RecordOptions {
  clock: Pick<Clock, 'nowMs'>;
  about: Pick<ObservedCall, 'service' | 'transport' | 'key'>;
  take(): TakeCall | undefined;
  /** Takes memory for a call that waits for its answer; false if there is none. By default there is. */
  hold?(bytes: number): boolean;
  give?(bytes: number): void;
}

/** A call that waits for its answer. */
interface Waiting {
  id: string;
  startMs: number;
  bytes: number;
  call: Pick<ObservedCall, 'method' | 'params'>;
  take: TakeCall;
}

/** What a call that waits occupies besides its texts. */
const waitingBytes = 512;

export function createCallRecord({ clock, about, take, hold = () => true, give }: RecordOptions): CallRecord {
  const waiting = new Set<Waiting>();
  let noted = 0;

  function settle(one: Waiting, error: CallError | undefined): void {
    waiting.delete(one);
    give?.(one.bytes);
    one.take({ ...about, ...one.call, durationMs: clock.nowMs() - one.startMs, error: kept(error) });
  }
  const reader = () =>
    createAnswerReader((answer) => {
      const isSole = about.transport === 'http' && noted === 1;
      const one = waitingFor(waiting, answer) ?? (isSole ? soleFor(waiting, answer) : undefined);
      if (one) settle(one, answer.error ?? (answer.hasResult ? undefined : notAnAnswer));
    });

  return {
    note(item, refusal) {
      noted += 1;
      const taker = take();
      if (!taker) return;
      const error = refusal === undefined ? undefined : (readAnswer(refusal).error ?? notAnAnswer);
      const call = { method: methodOf(item), params: paramsOf(item, error) };
      if (error || item.id === undefined)
        return taker({ ...about, ...call, durationMs: 0, error: kept(error) });
      const id = keptText(keyOf(item.id));
      const bytes = waitingBytes + 2 * (id.length + (call.params?.length ?? 0));
      if (hold(bytes)) waiting.add({ id, startMs: clock.nowMs(), bytes, call, take: taker });
    },
    read(message) {
      if (waiting.size === 0) return;
      const whole = reader();
      whole.push(typeof message === 'string' ? Buffer.from(message) : message);
      whole.end();
    },
    through: (target) => through(tapOf(reader()), target),
    fail(message) {
      for (const one of waiting) settle(one, { code: undefined, message });
    },
  };
}

const notAnAnswer: CallError = {
  code: undefined,
  message: 'the node did not answer in the form of JSON-RPC',
};
const methodNotFound = -32601;

function methodOf(item: RpcCall | RpcFault): string | undefined {
  return 'method' in item ? keptText(item.method) : undefined;
}

/** A method that is not offered may take anything, such as a private key. */
function paramsOf(item: RpcCall | RpcFault, error: CallError | undefined): string | undefined {
  if (!('method' in item) || error?.code === methodNotFound) return undefined;
  return shownParams(item.method, item.text);
}

function kept(error: CallError | undefined): CallError | undefined {
  return error && { code: error.code, message: shownText(cut(error.message)) };
}

function waitingFor(waiting: ReadonlySet<Waiting>, { id }: Answer): Waiting | undefined {
  const key = id === undefined ? undefined : keyOf(id);
  for (const one of waiting) if (one.id === key) return one;
  return undefined;
}

/** What cannot be read has no id: it still answers the only call of a request. */
function soleFor([one]: Iterable<Waiting>, { id = 'null' }: Answer): Waiting | undefined {
  return id === 'null' ? one : undefined;
}

/** Characters of an id by which its answer is found. */
const maxId = 128;

/** Nodes may write an id in another way than it was sent. */
function keyOf(id: string): string {
  if (id.length > maxId) return id.slice(0, maxId);
  try {
    return JSON.stringify(JSON.parse(id));
  } catch {
    return cut(id, maxId);
  }
}

/** Passes an answer on as it is, and reads it meanwhile. */
function tapOf(reader: AnswerReader): Transform {
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      reader.push(part);
      done(null, part);
    },
    flush(done) {
      reader.end();
      done();
    },
  });
}
