import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';

/** Kubernetes counts the objects of a new namespace for the first time within a second or two. */
const longestMs = 5000;
const againMs = 100;

/**
 * The same cluster, in which a creation waits until Kubernetes has counted what a new namespace holds. Until then it refuses whatever
 * a ResourceQuota bounds: who creates a workspace and then a network in it would be told to try again.
 */
export function untilCounted<K extends Pick<Kube, 'create'>>(kube: K, clock: Clock): K {
  return {
    ...kube,
    async create(type, object) {
      for (const endMs = clock.steadyMs() + longestMs; ; ) {
        try {
          return await kube.create(type, object);
        } catch (error) {
          if (!isUncounted(error) || clock.steadyMs() >= endMs) throw error;
        }
        await clock.sleep(againMs);
      }
    },
  };
}

function isUncounted(error: unknown): boolean {
  return isAppError(error, 'Forbidden') && error.message.includes('status unknown for quota');
}
