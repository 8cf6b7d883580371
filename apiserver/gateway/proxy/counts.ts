import { createTally } from '../../../core/lib/work/tally.ts';

/** How many of something each key has; keys without any are forgotten. */
export interface Counts {
  of(key: string): number;
  /** Adds one. Returns a function that takes it away again, once. */
  add(key: string): () => void;
}

export function createCounts(): Counts {
  const tally = createTally();
  return {
    of: tally.of,
    add(key) {
      let isThere = true;
      tally.add(key, 1);
      return () => {
        if (isThere) tally.add(key, -1);
        isThere = false;
      };
    },
  };
}
