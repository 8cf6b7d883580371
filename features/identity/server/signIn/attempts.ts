import { createBuckets } from '../../../../apiserver/http/limits/buckets.ts';
import type { Clock } from '../../../../core/lib/clock.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import type { BucketLimit } from '../../../../core/lib/work/tokenBucket.ts';

/** How often somebody may be wrong. */
export interface Attempts {
  /** Takes an attempt for a name from a source; call the returned function if it was right. Throws TooManyRequests. */
  begin(name: string, source: string): () => void;
}

const perName: BucketLimit = { perSecond: 1 / 60, burst: 10 };
/** Many people may share an address, and behind an untrusted proxy everybody does. */
const perSource: BucketLimit = { perSecond: 1, burst: 100 };

/**
 * Counts wrong attempts of an account that guesses what belongs to others, and of a source, in this replica. A right one does not
 * count, and forgives none of the others: somebody who knows one right answer would guess another without end. `refusal` says
 * what there were too many of.
 */
export function createAttempts(clock: Clock, refusal: string): Attempts {
  const names = createBuckets(perName, clock);
  const sources = createBuckets(perSource, clock);
  return {
    begin(name, source) {
      const [own, from] = [names.of(name), sources.of(source)];
      refuseUntil(refusal, Math.max(own.waitMs(), from.waitMs()));
      own.take();
      from.take();
      return () => {
        own.giveBack();
        from.giveBack();
      };
    },
  };
}

/**
 * Counts wrong attempts to guess what belongs to an account, in this replica: of each source, of each source for the account, and of
 * all sources for the account. Whoever guesses from many sources does not lock the account's user out: once there were too
 * many from all, a source has one attempt after it was not wrong for ten minutes, and only those that were wrong wait.
 */
export function createGuesses(clock: Clock, refusal: string): Attempts {
  const accounts = createBuckets(perName, clock);
  const sources = createBuckets(perSource, clock);
  const pairs = createBuckets(perName, clock);
  return {
    begin(name, source) {
      const [account, from, pair] = [accounts.of(name), sources.of(source), pairs.of(`${source} ${name}`)];
      refuseUntil(refusal, Math.max(from.waitMs(), pair.waitMs()));
      const waitMs = account.waitMs();
      if (!pair.isFull()) refuseUntil(refusal, waitMs);
      const cost = waitMs > 0 ? perName.burst : 1;
      if (waitMs === 0) account.take();
      from.take();
      pair.take(cost);
      return () => {
        if (waitMs === 0) account.giveBack();
        from.giveBack();
        pair.giveBack(cost);
      };
    },
  };
}

function refuseUntil(refusal: string, waitMs: number): void {
  if (waitMs === 0) return;
  throw new AppError('TooManyRequests', refusal, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}
