/** Gives each caller so many turns at once; its further requests wait, in their order. */
export interface Turns {
  /** Resolves when it is this request's turn; call the answer when it is over. */
  begin(caller: string): Promise<() => void>;
}

interface Lane {
  running: number;
  waiting: (() => void)[];
}

/**
 * Turns for `perCaller` requests of each caller at any time. One that waited begins on a new round of the event loop,
 * so that other callers' requests, which came meanwhile, are read before it.
 */
export function createTurns(perCaller: number): Turns {
  const lanes = new Map<string, Lane>();

  function end(caller: string, lane: Lane): void {
    const next = lane.waiting.shift();
    if (next) return void setImmediate(next);
    lane.running -= 1;
    if (lane.running === 0) lanes.delete(caller);
  }

  return {
    async begin(caller) {
      const lane = lanes.get(caller) ?? { running: 0, waiting: [] };
      lanes.set(caller, lane);
      if (lane.running < perCaller) lane.running += 1;
      else await new Promise<void>((resolve) => void lane.waiting.push(resolve));
      let isOver = false;
      return () => {
        if (!isOver) end(caller, lane);
        isOver = true;
      };
    },
  };
}
