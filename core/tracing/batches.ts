import type { Clock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';

export type SpanOutcome = 'exported' | 'dropped' | 'failed';

export interface BatchesOptions<T> {
  /** Sends a batch; rejects if the collector does not take it. */
  send(batch: T[]): Promise<void>;
  count(outcome: SpanOutcome, spans: number): void;
  clock: Clock;
  /** Spans that wait at most; a batch, and how long the first span of one waits. */
  limits?: { queue: number; batch: number; waitMs: number };
}

export interface Batches<T> {
  /** Never waits: spans that do not fit are dropped. */
  add(item: T): void;
  /** Sends the waiting spans for at most `limitMs`, and drops the rest. */
  close(limitMs: number): Promise<void>;
}

/** Enough for a burst of a few hundred requests. */
const defaultLimits = { queue: 2048, batch: 512, waitMs: 1000 };

/** A bounded queue that one sender empties in batches. */
export function createBatches<T>(options: BatchesOptions<T>): Batches<T> {
  const { clock, count, limits = defaultLimits } = options;
  let waiting: T[] = [];
  let sending: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  async function sendAll(): Promise<void> {
    do {
      const batch = waiting.slice(0, limits.batch);
      waiting = waiting.slice(limits.batch);
      await options.send(batch).then(
        () => count('exported', batch.length),
        () => count('failed', batch.length),
      );
    } while (waiting.length >= limits.batch || (isClosed && waiting.length > 0));
  }

  function begin(): void {
    cancel?.();
    cancel = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      plan();
    });
  }

  /** The next batch goes when it is full, or when its first span has waited. */
  function plan(): void {
    if (sending || waiting.length === 0) return;
    const isDue = isClosed || waiting.length >= limits.batch;
    if (isDue) begin();
    else cancel ??= clock.after(limits.waitMs, begin, 'background');
  }

  return {
    add(item) {
      if (isClosed || waiting.length >= limits.queue) return count('dropped', 1);
      waiting.push(item);
      plan();
    },
    async close(limitMs) {
      isClosed = true;
      plan();
      await withDeadline({ clock, limitMs, onLate: () => undefined }, sending ?? Promise.resolve());
      if (waiting.length > 0) count('dropped', waiting.length);
      waiting = [];
    },
  };
}
