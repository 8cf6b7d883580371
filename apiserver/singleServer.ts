import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../core/lib/clock.ts';
import { createHealthServer } from '../core/lib/http/healthServer.ts';
import type { Log } from '../core/lib/log.ts';
import type { Metrics } from '../core/lib/metrics.ts';
import { answerClientError } from './http/pipeline/clientError.ts';
import { type LifecycleParts, type PhaseHolder, whyNotReady } from './lifecycle.ts';

interface SingleServer {
  server: Server;
  port: number;
  env: { METRICS_PORT: number; DRAIN_MS: number };
  metrics: Metrics;
  clock: Clock;
  log: Log;
  /** Closes what the server's listener has opened. */
  release?(): Promise<void>;
}

/** The parts of a process that serves one port and keeps no caches. */
export function singleServerParts({ server, port, env, metrics, ...rest }: SingleServer): LifecycleParts {
  const phase: PhaseHolder = { current: 'starting' };
  // The next connection of the same client then goes to another replica.
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (phase.current === 'draining') response.shouldKeepAlive = false;
  });
  return {
    phase,
    caches: [],
    health: {
      server: createHealthServer({ metrics, whyNotReady: () => whyNotReady(phase) }),
      port: env.METRICS_PORT,
    },
    servers: [{ server, port }],
    closeUpgraded: async () => undefined,
    release: async () => undefined,
    drainMs: env.DRAIN_MS,
    ...rest,
  };
}

/** A plain HTTP server for callers inside the cluster, not yet listening. */
export function createInternalServer(listener: RequestListener): Server {
  const server = createServer(listener);
  server.headersTimeout = 10_000;
  server.on('clientError', answerClientError);
  return server;
}
