import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';

/** Access to something that only a few callers can use at a time. */
export interface Turns {
  /**
   * Resolves when it is the caller's turn; call the returned function at its end. TooManyRequests if too many wait. The callers
   * of a group share the turns of one.
   */
  begin(caller: string, group?: string): Promise<() => void>;
}

interface Options {
  atOnce: number;
  maxWaitingPerCaller: number;
  /** Why a caller is refused that has this many waiting. */
  refusal(waiting: number): string;
  budgets: Pick<BudgetMetrics, 'refused'>;
}

/** The requests that wait, by caller. The caller whose turn is next comes first. */
type Queues = Map<string, (() => void)[]>;

/** Callers take turns: one with many requests waits behind one with few, and so does a group with many callers. */
export function createTurns({ atOnce, maxWaitingPerCaller, refusal, budgets }: Options): Turns {
  // The group whose turn is next comes first.
  const groups = new Map<string, Queues>();
  let running = 0;

  function end(): void {
    const [next] = groups;
    if (!next) {
      running -= 1;
      return;
    }
    const [group, queues] = next;
    const start = takeNext(queues);
    groups.delete(group);
    if (queues.size > 0) groups.set(group, queues);
    start?.();
  }

  return {
    async begin(caller, group = caller) {
      if (running < atOnce) running += 1;
      else await wait(caller, group);
      let isOver = false;
      return () => {
        if (!isOver) end();
        isOver = true;
      };
    },
  };

  function wait(caller: string, group: string): Promise<void> {
    const queues: Queues = groups.get(group) ?? new Map();
    const waiting = queues.get(caller) ?? [];
    if (waiting.length >= maxWaitingPerCaller) {
      budgets.refused('waiting');
      return Promise.reject(new AppError('TooManyRequests', refusal(maxWaitingPerCaller)));
    }
    groups.set(group, queues.set(caller, waiting));
    return new Promise((resolve) => void waiting.push(resolve));
  }
}

function takeNext(queues: Queues): (() => void) | undefined {
  const [next] = queues;
  if (!next) return undefined;
  const [caller, waiting] = next;
  const start = waiting.shift();
  queues.delete(caller);
  if (waiting.length > 0) queues.set(caller, waiting);
  return start;
}
