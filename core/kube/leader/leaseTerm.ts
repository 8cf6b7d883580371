import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Monotonic } from '../monotonic.ts';
import type { LeaseLock } from './leaseLock.ts';

/** A point in time that knows how long ago it was. */
export interface Instant {
  elapsedMs(): number;
}

/** Uses two clocks because either may stop or jump without the other: suspended machine, corrected time. */
export function startWatch(clock: Clock, monotonic: Monotonic): () => Instant {
  return () => {
    const [monotonicMs, wallMs] = [monotonic(), clock.nowMs()];
    return { elapsedMs: () => Math.max(monotonic() - monotonicMs, clock.nowMs() - wallMs) };
  };
}

export interface TermOptions {
  lock: LeaseLock;
  /** When the request that took the lease was sent: the time known to the server is not earlier. */
  heldAt: Instant;
  now(): Instant;
  clock: Clock;
  log: Log;
  renewDeadlineMs: number;
  retryPeriodMs: number;
}

/** The period in which this process is certain to hold the lease. */
export interface Term {
  /** Aborts when the term has ended. */
  signal: AbortSignal;
  /** Ends the term when it finds that it is over. */
  isCurrent(): boolean;
  end(): void;
  /** Renews the lease; resolves when the term has ended, or `signal` aborts, which ends it. */
  renewUntil(signal: AbortSignal): Promise<void>;
}

/** A term that has just begun. It ends at the deadline even while a renewal is in flight. */
export function createTerm(options: TermOptions): Term {
  const { clock, now, renewDeadlineMs } = options;
  const controller = new AbortController();
  const end = () => controller.abort();
  let renewedAt = options.heldAt;
  const isCurrent = () => {
    // Timers do not run while work follows work: without this check, every key in a queue would be taken, and fail.
    if (renewedAt.elapsedMs() >= renewDeadlineMs) end();
    return !controller.signal.aborted;
  };
  const arm = () => clock.after(Math.max(0, renewDeadlineMs - renewedAt.elapsedMs()), end);

  async function renewUntil(signal: AbortSignal): Promise<void> {
    let disarm = arm();
    while (isCurrent() && !signal.aborted) {
      await clock.sleep(options.retryPeriodMs, signal).catch(() => undefined);
      if (!isCurrent() || signal.aborted) break;
      const begunAt = now();
      const isHeld = await renew(options);
      if (isHeld === false) end();
      // A late renewal does not restore the term: its work may already be ending.
      if (!isHeld || !isCurrent()) continue;
      renewedAt = begunAt;
      disarm();
      disarm = arm();
    }
    disarm();
    end();
  }

  return { signal: controller.signal, isCurrent, end, renewUntil };
}

/** False when another holds the lease; undefined when the server does not answer. */
async function renew({ lock, log }: TermOptions): Promise<boolean | undefined> {
  try {
    return await lock.tryHold();
  } catch (error) {
    log.warn('lease: cannot be renewed', { error: messageOf(error) });
    return undefined;
  }
}
