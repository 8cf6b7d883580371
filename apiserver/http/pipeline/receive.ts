import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Hold } from '../limits/memoryBudget.ts';
import { createCollector } from './collector.ts';

/** What the head of a request occupies: counted too, so that many requests without a body are bounded as well. */
const headBytes = 4096;
const windowMs = 5000;
const minBytesPerSecond = 8 * 1024;
/** A body up to this much too long is read and discarded. */
export const discardedBytes = 16 * 1024 * 1024;

export interface ReceiveOptions {
  limitBytes: number;
  /** A body up to this much too long is read and discarded: a client that is still sending misses the answer. */
  discardedBytes?: number;
  /** The memory is charged to it; whoever opened it releases it. */
  hold: Hold;
  clock: Clock;
  /** Called once a body turns out to be longer than this. May throw. */
  large?: { bytes: number; begin(): void };
  /** Called when an upload is ended because it is too slow. */
  onSlow?: () => void;
}

/**
 * The bytes of a request's body; undefined if the caller disconnects first. Rejects with TooLarge, with Unavailable if
 * the caller's memory is used up, and with RequestTimeout if less than 8 KiB per second arrive.
 */
export function receive(request: IncomingMessage, options: ReceiveOptions): Promise<Buffer | undefined> {
  const { limitBytes, discardedBytes = 0, clock } = options;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limitBytes + discardedBytes) return Promise.reject(tooLarge(limitBytes));
  // It may have disconnected while the request waited for its turn, and no event follows.
  if (request.destroyed) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const body = createBody(options);
    const attempt = (step: () => void) => {
      try {
        step();
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const take = (chunk: Buffer) => attempt(() => body.add(chunk));
    const endPace = watchPace(request, clock, () =>
      attempt(() => {
        options.onSlow?.();
        throw tooSlow();
      }),
    );
    const stop = () => {
      endPace();
      request.off('data', take);
    };
    request.on('data', take);
    request.once('end', () => {
      stop();
      attempt(() => resolve(body.join()));
    });
    request.once('close', () => {
      stop();
      resolve(undefined);
    });
    attempt(() => options.hold.take(headBytes));
  });
}

/** A body up to this length is usually in memory by the time that it is asked for. */
const maxShortBytes = 64 * 1024;

/**
 * The bytes of a body that has arrived already and is short, without waiting; undefined: call `receive`. Throws Unavailable if
 * the caller's memory is used up.
 */
export function receiveNow(
  request: IncomingMessage,
  { limitBytes, hold }: Pick<ReceiveOptions, 'limitBytes' | 'hold'>,
): Buffer | undefined {
  const { complete, headers, readableLength, readableFlowing } = request;
  const isHere = complete || headers['content-length'] === String(readableLength);
  const isShort = readableLength <= Math.min(limitBytes, maxShortBytes);
  if (!isHere || !isShort || readableFlowing !== null) return undefined;
  hold.take(headBytes + readableLength);
  const bytes: Buffer | null = request.read();
  // The end of the message may still have to be read, before the next request on the connection.
  if (!complete) request.resume();
  return bytes ?? nothing;
}

const nothing = Buffer.alloc(0);

function createBody({ limitBytes, discardedBytes = 0, hold, large }: ReceiveOptions) {
  const collector = createCollector(hold.take);
  let length = 0;
  return {
    add(chunk: Buffer): void {
      const wasLarge = large && length > large.bytes;
      length += chunk.length;
      if (length > limitBytes + discardedBytes) throw tooLarge(limitBytes);
      if (length > limitBytes) return;
      if (large && !wasLarge && length > large.bytes) large.begin();
      collector.add(chunk);
    },
    join(): Buffer {
      if (length > limitBytes) throw tooLarge(limitBytes);
      return collector.join();
    },
  };
}

/** Calls `onSlow` once a window has passed in which too little arrived. Returns a function that ends the watch. */
function watchPace(request: IncomingMessage, clock: Clock, onSlow: () => void): () => void {
  const windowBytes = (minBytesPerSecond * windowMs) / 1000;
  let arrived = 0;
  let isOver = false;
  const count = (chunk: Buffer) => {
    arrived += chunk.length;
  };
  const check = () => {
    if (isOver) return;
    if (arrived < windowBytes) return onSlow();
    arrived = 0;
    cancel = clock.after(windowMs, checkLater);
  };
  // After a busy event loop, what has arrived meanwhile is read before the next turn.
  const checkLater = () => void setImmediate(check);
  let cancel = clock.after(windowMs, checkLater);
  request.on('data', count);
  return () => {
    isOver = true;
    cancel();
    request.off('data', count);
  };
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('TooLarge', `the body is too large: this request accepts at most ${limitBytes} bytes`);
}

function tooSlow(): AppError {
  return new AppError(
    'RequestTimeout',
    `the body arrives too slowly: send at least ${minBytesPerSecond} bytes per second`,
  );
}
