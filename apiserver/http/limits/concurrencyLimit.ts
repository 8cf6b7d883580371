import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';

/** Limits how many requests of each caller run at the same time; the others wait in order. */
export interface ConcurrencyLimit {
  /**
   * Resolves when the request may run, or when it has gone. Call the returned function when it has ended. Rejects with
   * TooManyRequests if too many wait already.
   */
  begin(caller: string, request?: LimitedRequest): Promise<() => void>;
}

interface LimitedRequest {
  /** How many requests it counts for: 1 by default, and all that may run at the most. */
  weight?: number;
  /** Its response or its connection: when that closes, the request waits no more. */
  connection?: Closing;
}

interface Closing {
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

const maxWaiting = 512;

interface Waiting {
  weight: number;
  start(): void;
}

interface Queue {
  running: number;
  waiting: Waiting[];
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
  const fits = ({ running }: Queue, { weight }: Pick<Waiting, 'weight'>) => running + weight <= perCaller;

  function startNext(caller: string, queue: Queue): void {
    for (let [next] = queue.waiting; next && fits(queue, next); [next] = queue.waiting) {
      queue.waiting.shift();
      queue.running += next.weight;
      setImmediate(next.start);
    }
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(caller);
  }

  function end(caller: string, queue: Queue, weight: number): void {
    queue.running -= weight;
    startNext(caller, queue);
  }

  return {
    async begin(caller, { weight: given = 1, connection } = {}) {
      const weight = Math.min(given, perCaller);
      const queue = queues.get(caller) ?? { running: 0, waiting: [] };
      queues.set(caller, queue);
      if (queue.waiting.length >= maxWaiting) {
        metrics.refused('waiting');
        throw tooManyWaiting(kind);
      }
      if (queue.waiting.length === 0 && fits(queue, { weight })) queue.running += weight;
      else if (!(await isTurn(queue, weight, connection))) {
        startNext(caller, queue);
        return () => undefined;
      }
      let isOver = false;
      return () => {
        if (!isOver) end(caller, queue, weight);
        isOver = true;
      };
    },
  };
}

/** Waits in the queue. False: the connection closed first. */
function isTurn({ waiting }: Queue, weight: number, connection: Closing | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isItsTurn: boolean) => {
      connection?.off('close', leave);
      resolve(isItsTurn);
    };
    const own = { weight, start: () => settle(true) };
    const leave = () => {
      const at = waiting.indexOf(own);
      // It has its turn already, and ends as every other.
      if (at === -1) return;
      waiting.splice(at, 1);
      settle(false);
    };
    connection?.once('close', leave);
    waiting.push(own);
  });
}

function tooManyWaiting(kind: string): AppError {
  return new AppError(
    'TooManyRequests',
    `the ${kind} has ${maxWaiting} requests waiting for its other requests: wait for their answers`,
    { retryAfterSeconds: 1 },
  );
}
