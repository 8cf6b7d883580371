import type { LifecycleParts } from '../apiserver/lifecycle.ts';
import { singleServerParts } from '../apiserver/singleServer.ts';
import { createSealer } from '../core/accounts/seal.ts';
import { systemClock } from '../core/lib/clock.ts';
import { createProcessMetrics } from '../core/lib/liveHeap.ts';
import type { Log } from '../core/lib/log.ts';
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
  const metrics = createProcessMetrics(admissionMetricTables);
  const sealer = createSealer(masterKeys);
  const serviceNamespace = env.POD_NAMESPACE;
  const listener = createAdmissionListener({ sealer, serviceNamespace, log, metrics });
  const server = await createTlsServer({ folder: env.TLS_DIR, listener, clock, log });
  return singleServerParts({ server, port: env.ADMISSION_PORT, env, metrics, clock, log });
}
