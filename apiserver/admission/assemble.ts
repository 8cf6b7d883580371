import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSealer } from '../../core/accounts/seal.ts';
import { systemClock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { createHealthServer } from '../health.ts';
import { type LifecycleParts, type PhaseHolder, whyNotReady } from '../lifecycle.ts';
import { createAdmissionListener } from './listener.ts';
import { admissionMetricTables } from './metrics.ts';
import type { AdmissionSettings } from './settings.ts';
import { createTlsServer } from './tlsServer.ts';

/** Builds the process from its settings; nothing is started yet. */
export async function assembleAdmission(
  { env, masterKeys }: AdmissionSettings,
  log: Log,
): Promise<LifecycleParts> {
  const clock = systemClock;
  const metrics = createMetrics(admissionMetricTables, { hasDefaults: true });
  const phase: PhaseHolder = { current: 'starting' };
  const sealer = createSealer(masterKeys);
  const serviceNamespace = env.POD_NAMESPACE;
  const review = createAdmissionListener({ sealer, serviceNamespace, log, metrics });
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // kube-apiserver then opens its next connection to another replica.
    if (phase.current === 'draining') response.shouldKeepAlive = false;
    review(request, response);
  };
  const server = await createTlsServer({ folder: env.TLS_DIR, listener, clock, log });
  return {
    phase,
    caches: [],
    health: { server: createHealthServer(metrics, () => whyNotReady(phase)), port: env.METRICS_PORT },
    servers: [{ server, port: env.ADMISSION_PORT }],
    closeUpgraded: async () => undefined,
    release: async () => undefined,
    drainMs: env.DRAIN_MS,
    clock,
    log,
  };
}
