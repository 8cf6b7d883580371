import type { Clock } from '../../lib/clock.ts';
import { createBucket } from '../../lib/work/tokenBucket.ts';

/** Messages of which only the newest one counts. */
export interface Glances {
  take(message: Buffer): void;
  end(): void;
}

/** What is read a second, and at once: dozens of announced blocks. */
const bytesPerSecond = 64 * 1024;
/** What a message costs besides its bytes. */
const messageBytes = 1024;

/** Calls `read` with each message, or with the newest one now and then while they come faster than they may be read. */
export function createGlances(clock: Clock, read: (message: Buffer) => void): Glances {
  const bucket = createBucket({ perSecond: bytesPerSecond, burst: bytesPerSecond }, clock);
  let newest: Buffer | undefined;
  let cancel: (() => void) | undefined;
  const look = (): void => {
    cancel = undefined;
    if (!newest) return;
    const waitMs = bucket.take(messageBytes + newest.length);
    if (waitMs > 0) {
      cancel = clock.after(waitMs, look, 'background');
      return;
    }
    const message = newest;
    newest = undefined;
    read(message);
  };
  return {
    take(message) {
      newest = message;
      if (!cancel) look();
    },
    end() {
      cancel?.();
      newest = undefined;
    },
  };
}
