import type { ReplicaAccess } from './replicas.ts';

const path = '/transaction/v1alpha1/transaction/health';
const pauseMs = 20;

/** Asks replicas for their health again and again. */
export interface HealthWatch {
  /** Ends it. The longest time that an answer of each replica took, in milliseconds, by its name. */
  end(): Promise<Record<string, number>>;
}

export function watchHealth(replicas: readonly ReplicaAccess[]): HealthWatch {
  const stop = new AbortController();
  const watched = replicas.map(
    async (replica) => [replica.name, await longestMs(replica, stop.signal)] as const,
  );
  return {
    async end() {
      stop.abort();
      return Object.fromEntries(await Promise.all(watched));
    },
  };
}

/** A question that is open when the watch ends is waited for. */
async function longestMs({ url }: ReplicaAccess, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const startMs = performance.now();
    const answer = await fetch(`${url}${path}`);
    await answer.text();
    longest = Math.max(longest, performance.now() - startMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return longest;
}
