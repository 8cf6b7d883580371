import type { Clock } from '../../core/lib/clock.ts';
import { createTally } from '../../core/lib/work/tally.ts';

/** Places for work that others do not wait for: who finds none asks again. */
export interface Places {
  /** Takes a place of an account until the returned function is called; undefined if there is none for it now. */
  take(account: string): (() => void) | undefined;
}

interface Options {
  /** In all. */
  most: number;
  mostOfAccount: number;
  /** Within which an account asks again that keeps its place in the line. */
  againMs: number;
  clock: Pick<Clock, 'nowMs'>;
}

/** Accounts get places in the order in which they found none, each one at a time: whoever asks most often gets no more. */
export function createPlaces({ most, mostOfAccount, againMs, clock }: Options): Places {
  const taken = createTally();
  /** The line, with the times at which the accounts asked last. */
  const waiting = new Map<string, number>();

  function leaveLate(): void {
    for (const [account, askedMs] of waiting) {
      if (clock.nowMs() - askedMs > againMs) waiting.delete(account);
    }
  }

  /** How many are before the account in the line. */
  function before(account: string): number {
    const line = [...waiting.keys()];
    return waiting.has(account) ? line.indexOf(account) : line.length;
  }

  return {
    take(account) {
      if (taken.of(account) >= mostOfAccount) return undefined;
      leaveLate();
      if (before(account) >= most - taken.total()) {
        waiting.set(account, clock.nowMs());
        return undefined;
      }
      waiting.delete(account);
      taken.add(account, 1);
      return () => taken.add(account, -1);
    },
  };
}
