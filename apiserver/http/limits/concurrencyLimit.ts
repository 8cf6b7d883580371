import { AppError } from '../../../core/lib/errors.ts';
import { createTally, type Tally } from '../../../core/lib/work/tally.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';
import type { Closing } from './closing.ts';

/** Limits how many requests of each caller run at the same time; the others wait. */
export interface ConcurrencyLimit {
  /**
   * Resolves when the request may run, or when it has gone. Call the returned function when it has ended. Rejects with
   * TooManyRequests if too many wait already.
   */
  begin(caller: string, request?: LimitedRequest): Promise<() => void>;
  /** Whether requests of the caller wait for the end of one with this key: others wait for those of their own key. */
  isWanted(caller: string, key?: string): boolean;
}

interface LimitedRequest {
  /** How many requests it counts for: 1 by default, and all that may run at the most. */
  weight?: number;
  /** With which of its keys the caller asks: those with less that runs come first. One by default. */
  key?: string;
  /** Its response or its connection: when that closes, the request waits no more. */
  connection?: Closing;
}

interface Options {
  perCaller: number;
  /** Fewer than that, so that one key never keeps all from the others. By default as many. */
  perKey?: number;
  /** How many of each key may wait. */
  maxWaiting?: number;
  metrics: Pick<BudgetMetrics, 'refused'>;
  /** What callers are: an account by default. */
  kind?: string;
}

interface Waiting {
  weight: number;
  key: string;
  start(): void;
}

interface Queue {
  running: number;
  /** By key. */
  runningOf: Tally;
  /** By key, in the order in which they came. */
  waiting: Map<string, Waiting[]>;
}

/**
 * Runs at most `perCaller` requests of each caller at any time. A request that waited starts in a new iteration of the event loop, so
 * that requests of other callers that arrived meanwhile are read first.
 */
export function createConcurrencyLimit({
  perCaller,
  perKey = perCaller,
  maxWaiting = 512,
  metrics,
  kind = 'account',
}: Options): ConcurrencyLimit {
  const queues = new Map<string, Queue>();
  const limits = { perCaller, perKey };

  function startNext(caller: string, queue: Queue): void {
    for (let next = takeNext(queue, limits); next; next = takeNext(queue, limits)) {
      count(queue, next, 1);
      setImmediate(next.start);
    }
    const isOver = queue.running === 0 && queue.waiting.size === 0;
    // Who has gone comes back later, when there may be another one.
    if (isOver && queues.get(caller) === queue) queues.delete(caller);
  }

  return {
    isWanted: (caller, key = '') => firstWithRoom(queues.get(caller), key, perKey).length > 0,
    async begin(caller, { weight = 1, key = '', connection } = {}) {
      if (connection?.destroyed) return () => undefined;
      const queue = queues.get(caller) ?? newQueue();
      queues.set(caller, queue);
      const own = { weight: Math.min(weight, perKey), key };
      if ((queue.waiting.get(key)?.length ?? 0) >= maxWaiting) {
        metrics.refused('waiting');
        throw tooManyWaiting(kind, maxWaiting);
      }
      if (queue.waiting.size === 0 && fits(queue, own, limits)) count(queue, own, 1);
      else {
        const turn = isTurn(queue, own, connection);
        startNext(caller, queue);
        if (!(await turn)) {
          startNext(caller, queue);
          return () => undefined;
        }
      }
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        count(queue, own, -1);
        startNext(caller, queue);
      };
    },
  };
}

const newQueue = (): Queue => ({ running: 0, runningOf: createTally(), waiting: new Map() });

type Limits = Required<Pick<Options, 'perCaller' | 'perKey'>>;
type Counted = Pick<Waiting, 'weight' | 'key'>;

function count(queue: Queue, { weight, key }: Counted, by: 1 | -1): void {
  queue.running += by * weight;
  queue.runningOf.add(key, by * weight);
}

function fits(
  { running, runningOf }: Queue,
  { weight, key }: Counted,
  { perCaller, perKey }: Limits,
): boolean {
  return running + weight <= perCaller && runningOf.of(key) + weight <= perKey;
}

/** The first request of each key that has room for it, or would have some if those of `ending` ended. */
function firstWithRoom(queue: Queue | undefined, ending: string | undefined, perKey: number): Waiting[] {
  if (!queue) return [];
  return [...queue.waiting.values()]
    .flatMap(([first]) => first ?? [])
    .filter(({ weight, key }) => key === ending || queue.runningOf.of(key) + weight <= perKey);
}

/** The first request of the key with the least that runs, unless it has to wait for more to end. */
function takeNext(queue: Queue, limits: Limits): Waiting | undefined {
  const { runningOf, waiting } = queue;
  const [next] = firstWithRoom(queue, undefined, limits.perKey).sort(
    (one, other) => runningOf.of(one.key) - runningOf.of(other.key),
  );
  if (!next || !fits(queue, next, limits)) return undefined;
  leave(waiting, next);
  return next;
}

/** False: it waits no more. */
function leave(waiting: Queue['waiting'], own: Waiting): boolean {
  const ofKey = waiting.get(own.key) ?? [];
  const at = ofKey.indexOf(own);
  if (at === -1) return false;
  ofKey.splice(at, 1);
  if (ofKey.length === 0) waiting.delete(own.key);
  return true;
}

/** Waits in the queue. False: the connection closed first. */
function isTurn({ waiting }: Queue, counted: Counted, connection: Closing | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isItsTurn: boolean) => {
      connection?.off('close', onClose);
      resolve(isItsTurn);
    };
    const own = { ...counted, start: () => settle(true) };
    const onClose = () => {
      // It may have its turn already, and ends as every other.
      if (leave(waiting, own)) settle(false);
    };
    connection?.once('close', onClose);
    const ofKey = waiting.get(own.key) ?? [];
    waiting.set(own.key, ofKey);
    ofKey.push(own);
  });
}

function tooManyWaiting(kind: string, maxWaiting: number): AppError {
  return new AppError(
    'TooManyRequests',
    `the ${kind} has ${maxWaiting} requests waiting for its other requests: wait for their answers`,
    { retryAfterSeconds: 1 },
  );
}
