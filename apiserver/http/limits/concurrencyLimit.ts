import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';

/** Limits how many requests of each caller run at the same time; the others wait in order. */
export interface ConcurrencyLimit {
  /**
   * Resolves when the request may run. Call the returned function when it has ended. Rejects with TooManyRequests if too
   * many wait already.
   */
  begin(caller: string): Promise<() => void>;
}

const maxWaiting = 512;

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Runs at most `perCaller` requests of each caller at any time; `kind` is what callers are. A request that waited starts in
 * a new iteration of the event loop, so that requests of other callers that arrived meanwhile are read first.
 */
export function createConcurrencyLimit(
  perCaller: number,
  metrics: Pick<BudgetMetrics, 'refused'>,
  kind = 'account',
): ConcurrencyLimit {
  const queues = new Map<string, Queue>();

  function end(caller: string, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next) return void setImmediate(next);
    queue.running -= 1;
    if (queue.running === 0) queues.delete(caller);
  }

  return {
    async begin(caller) {
      const queue = queues.get(caller) ?? { running: 0, waiting: [] };
      queues.set(caller, queue);
      if (queue.running < perCaller) queue.running += 1;
      else if (queue.waiting.length < maxWaiting)
        await new Promise<void>((resolve) => void queue.waiting.push(resolve));
      else {
        metrics.refused('waiting');
        throw tooManyWaiting(kind);
      }
      let isOver = false;
      return () => {
        if (!isOver) end(caller, queue);
        isOver = true;
      };
    },
  };
}

function tooManyWaiting(kind: string): AppError {
  return new AppError(
    'TooManyRequests',
    `the ${kind} has ${maxWaiting} requests waiting for its other requests: wait for their answers`,
    { retryAfterSeconds: 1 },
  );
}
