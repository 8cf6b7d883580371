import { createTally } from '../../core/lib/work/tally.ts';

/** Shares of a limited number of workers. */
export interface Turns {
  /** Does the work if the holder has not used up its share; undefined otherwise. */
  take<T>(holder: string, work: () => Promise<T>): Promise<T> | undefined;
}

/** At most `share` pieces of work at a time for each holder, so that none can occupy all workers. */
export function createTurns(share: number): Turns {
  const underWay = createTally();
  return {
    take(holder, work) {
      if (underWay.of(holder) >= share) return undefined;
      underWay.add(holder, 1);
      return work().finally(() => underWay.add(holder, -1));
    },
  };
}
