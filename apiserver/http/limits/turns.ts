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

type Waiting = Set<() => void>;

/** Callers take turns: one with many requests waits behind one with few, and so does a group with many callers. */
export function createTurns({ atOnce, maxWaitingPerCaller, refusal, budgets }: Options): Turns {
  // Whose turn is next comes first: among the groups, and in each among its callers.
  const groups = new Map<string, Map<string, Waiting>>();
  let running = 0;

  function end(): void {
    const start = inTurn(groups, (callers) => inTurn(callers, takeFirst));
    if (start) start();
    else running -= 1;
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
    const callers = groups.get(group) ?? new Map<string, Waiting>();
    const waiting = callers.get(caller) ?? new Set();
    if (waiting.size >= maxWaitingPerCaller) {
      budgets.refused('waiting');
      return Promise.reject(new AppError('TooManyRequests', refusal(maxWaitingPerCaller)));
    }
    groups.set(group, callers.set(caller, waiting));
    return new Promise((resolve) => void waiting.add(resolve));
  }
}

/** Takes from the first of `queues`, whose next turn comes after those of all others. */
function inTurn<Queue extends { size: number }, T>(
  queues: Map<string, Queue>,
  take: (queue: Queue) => T | undefined,
): T | undefined {
  const [next] = queues;
  if (!next) return undefined;
  const [name, queue] = next;
  const taken = take(queue);
  queues.delete(name);
  if (queue.size > 0) queues.set(name, queue);
  return taken;
}

function takeFirst(waiting: Waiting): (() => void) | undefined {
  const [first] = waiting;
  if (first) waiting.delete(first);
  return first;
}
