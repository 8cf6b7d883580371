import { idempotencyRecordType } from '../../../core/api/resources/resources.ts';
import { type Clock, parseRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { createBackground } from '../../background.ts';
import type { Store } from '../../store/kubeErrors.ts';

/** How long an Idempotency-Key is remembered. */
const recordLifetimeMs = 24 * 3600 * 1000;
const intervalMs = 3600 * 1000;
const pageSize = 500;

interface SweepOptions {
  kube: Pick<Store, 'list' | 'delete' | 'serverTimeMs'>;
  namespace: string;
  clock: Clock;
  log: Log;
}

/** Deletes the records that are older than a day by the cluster's time. */
export async function sweepRecords({ kube, namespace }: Omit<SweepOptions, 'clock' | 'log'>): Promise<void> {
  const nowMs = await kube.serverTimeMs();
  let continueToken: string | undefined;
  do {
    const options = { namespace, isMetadataOnly: true, limit: pageSize };
    const page = await kube.list(idempotencyRecordType, {
      ...options,
      ...compact({ continueToken }),
    });
    for (const { metadata } of page.items) {
      const ageMs = nowMs - (parseRfc3339(metadata.creationTimestamp) ?? nowMs);
      if (ageMs <= recordLifetimeMs) continue;
      await kube.delete(idempotencyRecordType, metadata, { uid: metadata.uid });
    }
    continueToken = page.continueToken;
  } while (continueToken);
}

/** Sweeps once an hour; has the interface of the process's caches. Replicas may sweep concurrently. */
export function createSweep(options: SweepOptions) {
  const { clock, log } = options;

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sweepRecords(options).catch((error: unknown) =>
        log.warn('cannot delete old idempotency records; will retry', { reason: messageOf(error) }),
      );
      await clock.sleep(intervalMs, signal).catch(() => undefined);
    }
  }

  return { ...createBackground(run), whenSynced: async () => undefined };
}
