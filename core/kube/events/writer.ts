import type { Clock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';

/**
 * Writes events one after the other, so that a count update never overtakes its event. A period of failures or of
 * dropped events gives one log line, not one per event.
 */
export interface EventWriter {
  enqueue(work: () => Promise<unknown>): void;
  /** Resolves when everything that was enqueued so far is written or has failed. */
  flush(): Promise<void>;
  /** Writes what is left, for at most `limitMs`. Drops the rest, and whatever is enqueued later. */
  close(limitMs: number): Promise<void>;
}

interface EventWriterOptions {
  log: Log;
  clock: Clock;
  isBusy: () => boolean;
}

// A thousand networks that start together record five thousand events; the maximum takes about 15 MB.
const maxQueued = 10_000;
const busyPauseMs = 100;

export function createEventWriter({ log, clock, isBusy }: EventWriterOptions): EventWriter {
  const closing = new AbortController();
  let isClosed = false;
  let writing: Promise<void> = Promise.resolve();
  let queued = 0;
  let dropped = 0;
  let isFailing = false;

  async function write(work: () => Promise<unknown>): Promise<void> {
    try {
      if (isBusy()) await clock.sleep(busyPauseMs, closing.signal).catch(() => undefined);
      if (isClosed) return;
      await work();
      isFailing = false;
    } catch (error) {
      // Closing the connections after `close` aborts the writes that were given up.
      if (!isFailing && !isClosed) log.warn('failed to write events', { error: messageOf(error) });
      isFailing = true;
    }
    queued -= 1;
    if (queued > 0 || dropped === 0) return;
    log.warn('dropped events: too many were queued', { count: dropped });
    dropped = 0;
  }

  async function whenWritten(): Promise<void> {
    while (queued > 0 && !isClosed) await writing;
  }

  return {
    enqueue(work) {
      if (queued >= maxQueued) {
        dropped += 1;
        return;
      }
      queued += 1;
      writing = writing.then(() => write(work));
    },
    flush: () => writing,
    async close(limitMs) {
      closing.abort();
      await withDeadline({ clock, limitMs, onLate: () => undefined }, whenWritten());
      isClosed = true;
      if (queued > 0) log.warn('events are not written: the process ends', { count: queued });
    },
  };
}
