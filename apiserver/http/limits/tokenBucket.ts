import type { Clock } from '../../../core/lib/clock.ts';

export interface BucketLimit {
  /** Tokens added per second. */
  perSecond: number;
  /** Tokens in a full bucket. */
  burst: number;
}

export interface Bucket {
  /** Takes a token and returns 0, or returns the milliseconds until one is available. */
  take(): number;
  /** The milliseconds until a token is available; 0 if one is available now. */
  waitMs(): number;
  isFull(): boolean;
  /** Returns a token that was taken for nothing. */
  giveBack(): void;
}

/** A token bucket that starts full. If the clock is set back, nothing is refilled. */
export function createBucket({ perSecond, burst }: BucketLimit, clock: Clock): Bucket {
  let tokens = burst;
  let atMs = clock.nowMs();
  const refill = (): void => {
    const nowMs = clock.nowMs();
    tokens = Math.min(burst, tokens + (Math.max(0, nowMs - atMs) / 1000) * perSecond);
    atMs = nowMs;
  };
  const waitMs = (): number => {
    refill();
    return tokens < 1 ? Math.ceil(((1 - tokens) / perSecond) * 1000) : 0;
  };
  return {
    take() {
      const ms = waitMs();
      if (ms === 0) tokens -= 1;
      return ms;
    },
    waitMs,
    isFull() {
      refill();
      return tokens >= burst;
    },
    giveBack() {
      tokens = Math.min(burst, tokens + 1);
    },
  };
}
