import { type Answer, call } from '../lib/service.ts';

/** An answer that a reader may get while replicas are replaced: it says when to ask again. */
export const announced = '503 with Retry-After';

/** Reads from the service all the time. */
export interface Reader {
  reads(): number;
  /** The answers that were not 200: their status, `announced`, or `no answer`. */
  failures: string[];
  stop(): Promise<void>;
}

/** Reads until it is stopped. */
export function startReader(): Reader {
  const failures: string[] = [];
  let reads = 0;
  let isStopping = false;
  const running = (async () => {
    while (!isStopping) {
      const answer = await call('GET', '/v1alpha/networks?limit=1').catch(() => undefined);
      reads += 1;
      if (answer?.status !== 200) failures.push(describe(answer));
    }
  })();
  return {
    failures,
    reads: () => reads,
    async stop(): Promise<void> {
      isStopping = true;
      await running;
    },
  };
}

function describe(answer: Answer | undefined): string {
  if (!answer) return 'no answer';
  const isAnnounced = answer.status === 503 && answer.headers.get('retry-after') !== null;
  return isAnnounced ? announced : String(answer.status);
}
