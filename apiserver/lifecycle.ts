import type { Server } from 'node:http';
import type { Clock } from '../core/lib/clock.ts';
import { withDeadline } from '../core/lib/deadline.ts';
import { AppError } from '../core/lib/errors.ts';
import { listen } from '../core/lib/http/listen.ts';
import type { Log } from '../core/lib/log.ts';
import type { Background } from './background.ts';
import { closeServer } from './server.ts';

/** Maximum time from the stop signal to the end of the process; Kubernetes kills the process after 30 s. */
const stopLimitMs = 24_000;
const healthLimitMs = 500;

type Phase = 'starting' | 'serving' | 'draining';

/** The current phase of the process, read by its servers. */
export interface PhaseHolder {
  current: Phase;
}

export interface LifecycleParts {
  phase: PhaseHolder;
  caches: readonly Background[];
  /** Listens for the whole lifetime of the process. */
  health: { server: Server; port: number };
  /** Listen while the process serves. */
  servers: readonly { server: Server; port: number }[];
  /** Ends connections that outlive their requests. */
  closeUpgraded(): Promise<void>;
  /** Closes the connections to Kubernetes. */
  release(): Promise<void>;
  drainMs: number;
  clock: Clock;
  log: Log;
}

/** Starts, serves until `stop` resolves, and shuts down without losing a request. Resolves when all is closed. */
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

/** Why the process is not ready for requests; undefined if it is. */
export function whyNotReady(phase: PhaseHolder): string | undefined {
  if (phase.current === 'starting') return 'caches are not synced yet';
  return phase.current === 'draining' ? 'stopping' : undefined;
}

/**
 * First only reports that it is not ready and keeps serving, because requests arrive until every proxy has noticed.
 * Then accepts no more requests and lets those in flight finish.
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
    throw new AppError('Internal', `connections did not close within ${limitMs / 1000} s`);
  };
  await withDeadline({ clock, limitMs, onLate }, work).catch((error) =>
    log.warn('closing', { reason: String(error) }),
  );
}
