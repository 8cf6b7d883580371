import { labels } from '../../../core/api/names.ts';
import { replayType } from '../../../core/api/resources/resources.ts';
import { type Clock, parseRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { createBackground } from '../../background.ts';
import type { Store } from '../../store/kubeErrors.ts';

/** As long as an Idempotency-Key is remembered: afterwards nobody can ask for the outcome again. */
const lifetimeMs = 24 * 3600 * 1000;
const intervalMs = 3600 * 1000;
const pageSize = 500;

interface SweepOptions {
  kube: Pick<Store, 'list' | 'delete' | 'serverTimeMs'>;
  clock: Clock;
  log: Log;
}

/** Deletes the replays that are older than a day by the cluster's time; Kubernetes deletes their rows. */
export async function sweepReplays({ kube }: Pick<SweepOptions, 'kube'>): Promise<void> {
  const nowMs = await kube.serverTimeMs();
  let continueToken: string | undefined;
  do {
    const options = { labelSelector: `${labels.role}=run`, isMetadataOnly: true, limit: pageSize };
    const page = await kube.list(replayType, { ...options, ...compact({ continueToken }) });
    for (const { metadata } of page.items) {
      const ageMs = nowMs - (parseRfc3339(metadata.creationTimestamp) ?? nowMs);
      if (ageMs <= lifetimeMs) continue;
      await kube.delete(replayType, metadata, { uid: metadata.uid, propagationPolicy: 'Background' });
    }
    continueToken = page.continueToken;
  } while (continueToken);
}

/** Sweeps once an hour; has the interface of the process's caches. Replicas may sweep concurrently. */
export function createReplaySweep(options: SweepOptions) {
  const { clock, log } = options;

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sweepReplays(options).catch((error: unknown) =>
        log.warn('cannot delete old replays; will retry', { reason: messageOf(error) }),
      );
      await clock.sleep(intervalMs, signal).catch(() => undefined);
    }
  }

  return { ...createBackground(run), whenSynced: async () => undefined };
}
