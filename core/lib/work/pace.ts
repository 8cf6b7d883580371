import { setImmediate as nextTurn } from 'node:timers/promises';

/** Counts units of work that keep the event loop, and waits for a turn of it whenever there are enough. */
export type Pace = (units: number) => Promise<void>;

/** A pace of long work on one thread: everybody else gets a turn after so many units. */
export function createPace(unitsPerTurn: number): Pace {
  let done = 0;
  return async (units) => {
    done += units;
    if (done < unitsPerTurn) return;
    done = 0;
    await nextTurn();
  };
}
