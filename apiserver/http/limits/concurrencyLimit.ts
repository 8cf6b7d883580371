/** Limits how many requests of each caller run at the same time; the others wait in order. */
export interface ConcurrencyLimit {
  /** Resolves when the request may run. Call the returned function when it has ended. */
  begin(caller: string): Promise<() => void>;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Runs at most `perCaller` requests of each caller at any time. A request that waited starts in a new iteration of the
 * event loop, so that requests of other callers that arrived meanwhile are read first.
 */
export function createConcurrencyLimit(perCaller: number): ConcurrencyLimit {
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
      else await new Promise<void>((resolve) => void queue.waiting.push(resolve));
      let isOver = false;
      return () => {
        if (!isOver) end(caller, queue);
        isOver = true;
      };
    },
  };
}
