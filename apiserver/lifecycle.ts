import type { Server } from 'node:http';
import type { Clock } from '../core/lib/clock.ts';
import { withDeadline } from '../core/lib/deadline.ts';
import { AppError } from '../core/lib/errors.ts';
import type { Log } from '../core/lib/log.ts';
import { closeServer, listen } from './server.ts';

/** From the stop signal to the end of the process, at most; Kubernetes kills after 30 s. */
const stopLimitMs = 24_000;
const healthLimitMs = 500;

type Phase = 'starting' | 'serving' | 'draining';

/** Where the process stands; servers ask for it. */
export interface PhaseHolder {
  current: Phase;
}

export interface LifecycleParts {
  phase: PhaseHolder;
  caches: readonly { start(): void; stop(): Promise<void>; whenSynced(): Promise<void> }[];
  /** Listens from the beginning to the end. */
  health: { server: Server; port: number };
  /** Listen while the process serves. */
  servers: readonly { server: Server; port: number }[];
  /** Ends connections that outlive their requests. */
  closeUpgraded(): Promise<void>;
  /** Lets go of the connections to Kubernetes. */
  release(): Promise<void>;
  drainMs: number;
  clock: Clock;
  log: Log;
}

/** Starts, serves until `stop` resolves, and ends without losing a request. Resolves when everything is closed. */
export async function runUntil(stop: Promise<void>, parts: LifecycleParts): Promise<void> {
  const { health, caches, log } = parts;
  await listen(health.server, health.port);
  for (const cache of caches) cache.start();
  let isStopping = false;
  const stopping = stop.then(() => {
    isStopping = true;
  });
  await Promise.race([Promise.all(caches.map((cache) => cache.whenSynced())), stopping]);
  if (!isStopping) {
    await Promise.all(parts.servers.map(({ server, port }) => listen(server, port)));
    parts.phase.current = 'serving';
    log.info('serving');
    await stopping;
    await drain(parts);
  }
  await Promise.all(caches.map((cache) => cache.stop()));
  await parts.release();
  await closeServer(health.server, parts.clock, healthLimitMs);
}

/** Why the process should get no requests; undefined when it should. */
export function whyNotReady(phase: PhaseHolder): string | undefined {
  if (phase.current === 'starting') return 'caches are not synced yet';
  return phase.current === 'draining' ? 'stopping' : undefined;
}

/**
 * First only says that it is not ready, and goes on serving: requests still come until every proxy has heard of it.
 * Then accepts no more and lets the answers under way finish.
 */
async function drain(parts: LifecycleParts): Promise<void> {
  const { clock, log, phase, drainMs } = parts;
  phase.current = 'draining';
  log.info('draining');
  await clock.sleep(drainMs);
  const limitMs = stopLimitMs - drainMs;
  await Promise.all([
    ...parts.servers.map(({ server }) => closeServer(server, clock, limitMs)),
    within(parts, parts.closeUpgraded(), limitMs),
  ]);
  log.info('drained');
}

async function within({ clock, log }: LifecycleParts, work: Promise<void>, limitMs: number): Promise<void> {
  const onLate = () => {
    throw new AppError('Internal', `did not end within ${limitMs / 1000} s`);
  };
  await withDeadline({ clock, limitMs, onLate }, work).catch((error) =>
    log.warn('closing', { reason: String(error) }),
  );
}
