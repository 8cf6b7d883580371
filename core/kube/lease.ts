import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Kube } from './kube.ts';
import { createLeaseLock, type LeaseLock } from './leaseLock.ts';
import { type Monotonic, systemMonotonic } from './monotonic.ts';

export interface LeaderElectorOptions {
  /** Of its own, so that renewals never wait behind other requests. */
  kube: Pick<Kube, 'get' | 'create' | 'replace'>;
  namespace: string;
  name: string;
  /** For people, such as the pod's name; a random part is added. */
  identity: string;
  clock: Clock;
  log: Log;
  /** Others may take a lease that was not renewed for so long; 15 s when absent. */
  leaseDurationMs?: number;
  /** Who could not renew for so long stops leading; below the former by what ending the work takes; 10 s. */
  renewDeadlineMs?: number;
  /** Between renewals, and between attempts of those who wait; 2 s. */
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
  /** Ends a term of this process, releases the lease, and competes no more. */
  stop(): Promise<void>;
  /** Right even when the event loop has stood still and no timer has run yet. */
  isLeader(): boolean;
}

interface Term {
  controller: AbortController;
  /** When the last successful renewal was begun: what the server knows is at least as new. */
  renewedAt: Instant;
}

/** Two clocks, because each may stand still or jump while the other does not (suspended machine, corrected time). */
interface Instant {
  monotonicMs: number;
  wallMs: number;
}

/** Competes for a Lease; whoever holds it leads. After a loss it competes again. */
export function createLeaderElector(options: LeaderElectorOptions): LeaderElector {
  const { clock, log } = options;
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  const monotonic = options.monotonic ?? systemMonotonic;
  const random = options.random ?? Math.random;
  const identity = `${options.identity}_${randomUUID()}`;
  const lock: LeaseLock = createLeaseLock({ ...options, identity, leaseDurationMs, monotonic });
  const stopping = new AbortController();
  let term: Term | undefined;
  let running: Promise<void> | undefined;

  const now = (): Instant => ({ monotonicMs: monotonic(), wallMs: clock.nowMs() });
  const elapsedMs = (since: Instant) =>
    Math.max(monotonic() - since.monotonicMs, clock.nowMs() - since.wallMs);
  const isCurrent = ({ controller, renewedAt }: Term) =>
    !controller.signal.aborted && elapsedMs(renewedAt) < renewDeadlineMs;
  async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    if (!signal.aborted) await clock.sleep(delayMs, signal).catch(() => undefined);
  }

  /** When the attempt was begun that took the lease; undefined when it was not taken. */
  async function attempt(): Promise<Instant | undefined> {
    const begunAt = now();
    return (await lock.tryHold()) ? begunAt : undefined;
  }

  async function compete(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begunAt = await attempt().catch((error: unknown) => {
        log.warn('lease: cannot be asked for', { error: messageOf(error) });
        return undefined;
      });
      if (begunAt && elapsedMs(begunAt) < renewDeadlineMs) await lead(begunAt);
      await sleep(retryPeriodMs * (1 + random() * 0.2), stopping.signal);
    }
  }

  async function lead(renewedAt: Instant): Promise<void> {
    const current: Term = { controller: new AbortController(), renewedAt };
    const end = () => current.controller.abort();
    term = current;
    stopping.signal.addEventListener('abort', end, { once: true });
    if (stopping.signal.aborted) end();
    log.info('lease: taken', { identity });
    const work = runWork(current.controller);
    await renewWhile(current);
    end();
    stopping.signal.removeEventListener('abort', end);
    await work;
    term = undefined;
    notifyStopped();
    await lock
      .release()
      .catch((error: unknown) => log.warn('lease: not released', { error: messageOf(error) }));
  }

  async function runWork(controller: AbortController): Promise<void> {
    try {
      await options.onStarted(controller.signal);
    } catch (error) {
      log.error('lease: the work of the leader failed', { error: messageOf(error) });
      controller.abort();
    }
  }

  function notifyStopped(): void {
    log.info('lease: given up', { identity });
    try {
      options.onStopped();
    } catch (error) {
      log.error('lease: onStopped failed', { error: messageOf(error) });
    }
  }

  /** Renews until the term's signal aborts: by the deadline, by a loss, or from outside. */
  async function renewWhile(current: Term): Promise<void> {
    const { controller } = current;
    const { signal } = controller;
    const arm = () => clock.after(renewDeadlineMs - elapsedMs(current.renewedAt), () => controller.abort());
    let disarm = arm();
    while (isCurrent(current)) {
      await sleep(retryPeriodMs, signal);
      if (!isCurrent(current)) break;
      const outcome = await renew();
      if (outcome === 'lost') controller.abort();
      // A renewal that comes too late does not bring the term back: its work may have been told to end.
      if (typeof outcome === 'string' || !isCurrent(current)) continue;
      current.renewedAt = outcome;
      disarm();
      disarm = arm();
    }
    disarm();
    controller.abort();
  }

  async function renew(): Promise<Instant | 'lost' | 'failed'> {
    try {
      return (await attempt()) ?? 'lost';
    } catch (error) {
      log.warn('lease: not renewed', { error: messageOf(error) });
      return 'failed';
    }
  }

  return {
    start() {
      running ??= compete();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    isLeader: () => term !== undefined && isCurrent(term),
  };
}
