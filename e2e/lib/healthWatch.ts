import type { ReplicaAccess } from './replicas.ts';

const path = '/transaction/v1alpha1/transaction/health';
const pauseMs = 20;
/** With fewer answers a delay could have been missed. */
const leastAnswers = 10;

/** Asks replicas for their health again and again. */
export interface HealthWatch {
  /** Ends it, once each replica has answered often enough. The longest delay of each one, in milliseconds, by its name. */
  end(): Promise<Record<string, number>>;
}

/** Resolves when each replica has answered for the first time. */
export async function watchHealth(replicas: readonly ReplicaAccess[]): Promise<HealthWatch> {
  await Promise.all(replicas.map(delayMs));
  const stop = new AbortController();
  const watched = Promise.all(
    replicas.map(async (replica) => [replica.name, await longestMs(replica, stop.signal)] as const),
  );
  // `end` reports it.
  watched.catch(() => undefined);
  return {
    async end() {
      stop.abort();
      return Object.fromEntries(await watched);
    },
  };
}

/** A question that is open when the watch ends is waited for. */
async function longestMs(replica: ReplicaAccess, signal: AbortSignal): Promise<number> {
  let longest = 0;
  for (let answers = 0; answers < leastAnswers || !signal.aborted; answers++) {
    longest = Math.max(longest, await delayMs(replica));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return longest;
}

async function delayMs({ name, url }: ReplicaAccess): Promise<number> {
  const startMs = performance.now();
  const answer = await fetch(`${url}${path}`);
  await answer.text();
  if (!answer.ok) throw new Error(`${name} answered ${answer.status} when it was asked for its health`);
  return performance.now() - startMs;
}
