import { createTally } from '../../core/lib/work/tally.ts';

/** Limits how much work of one holder runs at a time. */
export interface ConcurrencyLimit {
  /** Does the work; undefined if the holder has as much under way as it may have. */
  run<T>(holder: string, work: () => Promise<T>): Promise<T> | undefined;
}

/** At most `max` pieces of work at a time for each holder, so that none can occupy all workers. */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const underWay = createTally();
  return {
    run(holder, work) {
      if (underWay.of(holder) >= max) return undefined;
      underWay.add(holder, 1);
      return work().finally(() => underWay.add(holder, -1));
    },
  };
}
