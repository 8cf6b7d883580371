import type { Clock } from '../../../core/lib/clock.ts';

export interface BucketLimit {
  /** Tokens that come back in a second. */
  perSecond: number;
  /** Tokens of a full bucket. */
  burst: number;
}

export interface Bucket {
  /** Takes a token: 0, or the milliseconds until there is one. */
  take(): number;
  /** The milliseconds until there is a token; 0 when there is one. */
  waitMs(): number;
  isFull(): boolean;
}

/** A full token bucket. A clock that is set back refills nothing. */
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
  };
}
