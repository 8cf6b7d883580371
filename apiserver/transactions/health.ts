import type { Health } from '../../core/api/rest/transaction.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { maxSilenceMs } from '../store/untilReached.ts';

export interface HealthDeps {
  caches: readonly { lastSyncMs(): number | undefined }[];
  /** Resolves when kube-apiserver answers. */
  ping(): Promise<unknown>;
  clock: Clock;
}

/** The endpoint is public, so kube-apiserver is queried at most once in this time. */
const maxPingAgeMs = 2000;

/** Liveness, and whether kube-apiserver answers and is watched. The status is always 200; the body has the details. */
export function getTransactionHealth({ caches, ping, clock }: HealthDeps): Handler<'getTransactionHealth'> {
  let last: { atMs: number; store: Promise<string> } | undefined;
  const askStore = (): Promise<string> => {
    const atMs = clock.nowMs();
    if (last && atMs - last.atMs < maxPingAgeMs) return last.store;
    const store = ping().then(
      () => 'ok',
      () => 'not reached',
    );
    last = { atMs, store };
    return store;
  };
  return async () => {
    const store = await askStore();
    const isFollowed = caches.every((cache) => {
      const lastMs = cache.lastSyncMs();
      return lastMs !== undefined && clock.nowMs() - lastMs < maxSilenceMs;
    });
    const checks = { store, caches: isFollowed ? 'ok' : 'behind' };
    const body: Health = { status: store === 'ok' && isFollowed ? 'ok' : 'degraded', checks };
    return { body };
  };
}
