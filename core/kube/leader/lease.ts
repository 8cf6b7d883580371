import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Kube } from '../kube.ts';
import { type Monotonic, systemMonotonic } from '../monotonic.ts';
import { createLeaseLock, type LeaseLock } from './leaseLock.ts';
import { createTerm, type Instant, startWatch, type Term } from './leaseTerm.ts';

export interface LeaderElectorOptions {
  /** A dedicated client, so that renewals never wait behind other requests. */
  kube: Pick<Kube, 'get' | 'create' | 'replace'>;
  namespace: string;
  name: string;
  /** Human-readable, such as the pod's name; a random suffix is added. */
  identity: string;
  clock: Clock;
  log: Log;
  /** Others may take a lease that was not renewed for this long; 15 s when absent. */
  leaseDurationMs?: number;
  /** A leader that cannot renew for this long stops leading; must leave time to end its work before the lease; 10 s. */
  renewDeadlineMs?: number;
  /** Between renewals; a standby looks twice as often, and again when the lease expires. 2 s. */
  retryPeriodMs?: number;
  /** `signal` aborts when leading ends; a promise is awaited before onStopped, release and the next term. */
  onStarted(signal: AbortSignal): void | Promise<void>;
  onStopped(): void;
  monotonic?: Monotonic;
  /** For the jitter of attempts, in [0, 1). */
  random?: () => number;
}

export interface LeaderElector {
  start(): void;
  /** Ends the current term, releases the lease and stops competing. */
  stop(): Promise<void>;
  /** Correct even when the event loop was blocked and no timer has run yet. */
  isLeader(): boolean;
}

/** Between two looks at an expired lease that a faster standby is taking. */
const minWaitMs = 100;

/** Competes for a Lease; the holder leads. After losing it, competes again. */
export function createLeaderElector(options: LeaderElectorOptions): LeaderElector {
  const { clock, log, leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  const { monotonic = systemMonotonic, random = Math.random } = options;
  const identity = `${options.identity}_${randomUUID()}`;
  const lock = createLeaseLock({ ...options, identity, leaseDurationMs, monotonic });
  const stopping = new AbortController();
  const now = startWatch(clock, monotonic);
  let term: Term | undefined;
  let running: Promise<void> | undefined;

  async function compete(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begunAt = now();
      const isHeld = await lock.tryHold().catch((error: unknown) => {
        log.warn('lease: cannot be acquired', { error: messageOf(error) });
        return undefined;
      });
      if (isHeld && begunAt.elapsedMs() < renewDeadlineMs) await lead(begunAt);
      if (stopping.signal.aborted) return;
      const standbyMs = (retryPeriodMs / 2) * (1 + random() * 0.2);
      const waitMs = isHeld === false ? untilExpiry(lock, standbyMs) : standbyMs;
      await clock.sleep(waitMs, stopping.signal).catch(() => undefined);
    }
  }

  async function lead(heldAt: Instant): Promise<void> {
    term = createTerm({ lock, heldAt, now, clock, log, renewDeadlineMs, retryPeriodMs });
    const signal = AbortSignal.any([term.signal, stopping.signal]);
    log.info('lease: acquired', { identity });
    const work = runWork(options, term, signal);
    await term.renewUntil(signal);
    await work;
    term = undefined;
    log.info('lease: lost or released', { identity });
    await giveUp(options, lock);
  }

  return {
    start() {
      running ??= compete();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    isLeader: () => !stopping.signal.aborted && term?.isCurrent() === true,
  };
}

/** A lease that was lost to another in a race is new, and has its whole duration left. */
function untilExpiry(lock: LeaseLock, maxMs: number): number {
  return Math.min(maxMs, Math.max(lock.expiresInMs(), minWaitMs));
}

async function runWork(
  { onStarted, log }: LeaderElectorOptions,
  term: Term,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  try {
    await onStarted(signal);
  } catch (error) {
    log.error('lease: the work of the leader failed', { error: messageOf(error) });
    term.end();
  }
}

async function giveUp({ onStopped, log }: LeaderElectorOptions, lock: LeaseLock): Promise<void> {
  try {
    onStopped();
  } catch (error) {
    log.error('lease: onStopped failed', { error: messageOf(error) });
  }
  await lock
    .release()
    .catch((error: unknown) => log.warn('lease: cannot be released', { error: messageOf(error) }));
}
