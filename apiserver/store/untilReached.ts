import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { behind, limitMs } from './question.ts';

/** A healthy watch is only milliseconds behind. After this time its kind is listed. */
export const patienceMs = 500;
/** Bookmarks arrive once a minute; a cache without news for longer is disconnected. */
export const maxSilenceMs = 150_000;

type Progressing = Pick<Reflector<never>, 'onProgress' | 'refresh' | 'lists'>;

interface Waiting {
  clock: Clock;
  limitMs?: number;
}

/**
 * Waits for the watch, and has its kind listed whenever that takes long; between two lists the watch has its time. Rejects
 * with Unavailable at the limit.
 */
export function untilReached(
  watched: Progressing,
  { clock, ...options }: Waiting,
  isReached: () => boolean,
): Promise<void> | undefined {
  if (isReached()) return undefined;
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      unlisten();
      cancelRefresh();
      cancelLimit();
      settle();
    };
    let { complete } = watched.lists();
    let cancelRefresh = clock.after(patienceMs, watched.refresh);
    const unlisten = watched.onProgress(() => {
      if (isReached()) return end(resolve);
      if (watched.lists().complete === complete) return;
      ({ complete } = watched.lists());
      cancelRefresh();
      cancelRefresh = clock.after(patienceMs, watched.refresh);
    });
    const cancelLimit = clock.after(options.limitMs ?? limitMs, () => end(() => reject(behind())));
  });
}

/** Whether a list has been completed that began after this call. */
export function listedSince(watched: Pick<Progressing, 'lists'>): () => boolean {
  const { begun } = watched.lists();
  return () => watched.lists().complete > begun;
}

/** Throws Unavailable if a cache has not heard of the cluster for so long that nobody knows what it lacks. */
export function checkRecent(cache: Pick<Reflector<never>, 'lastSyncMs'>, clock: Clock): void {
  if (clock.nowMs() - (cache.lastSyncMs() ?? Number.NEGATIVE_INFINITY) <= maxSilenceMs) return;
  const message = 'kube-apiserver does not answer, and what this replica knows is too old; retry';
  throw new AppError('Unavailable', message, { retryAfterSeconds: 5 });
}
