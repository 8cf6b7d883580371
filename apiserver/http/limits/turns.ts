import { AppError } from '../../../core/lib/errors.ts';

/** Access to something that only a few callers can use at a time. */
export interface Turns {
  /** Resolves when it is the caller's turn; call the returned function at its end. TooManyRequests if too many wait. */
  begin(caller: string): Promise<() => void>;
}

interface Options {
  atOnce: number;
  maxWaitingPerCaller: number;
  /** Why a caller is refused that has this many waiting. */
  refusal(waiting: number): string;
}

/** Callers take turns: one with many requests waits behind one with few. */
export function createTurns({ atOnce, maxWaitingPerCaller, refusal }: Options): Turns {
  // The caller whose turn is next comes first.
  const queues = new Map<string, (() => void)[]>();
  let running = 0;

  function end(): void {
    const [next] = queues;
    if (!next) {
      running -= 1;
      return;
    }
    const [caller, waiting] = next;
    const start = waiting.shift();
    queues.delete(caller);
    if (waiting.length > 0) queues.set(caller, waiting);
    start?.();
  }

  return {
    async begin(caller) {
      if (running < atOnce) running += 1;
      else await wait(caller);
      let isOver = false;
      return () => {
        if (!isOver) end();
        isOver = true;
      };
    },
  };

  function wait(caller: string): Promise<void> {
    const waiting = queues.get(caller) ?? [];
    if (waiting.length >= maxWaitingPerCaller) {
      return Promise.reject(new AppError('TooManyRequests', refusal(maxWaitingPerCaller)));
    }
    queues.set(caller, waiting);
    return new Promise((resolve) => void waiting.push(resolve));
  }
}
