/** Gives each caller so many turns at once; its further requests wait, in their order. */
export interface ConcurrencyLimit {
  /** Resolves when it is this request's turn; call the answer when it is over. */
  begin(caller: string): Promise<() => void>;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Turns for `perCaller` requests of each caller at any time. One that waited begins on a new round of the event loop,
 * so that other callers' requests, which came meanwhile, are read before it.
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
