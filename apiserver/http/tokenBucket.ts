import type { Clock } from '../../core/lib/clock.ts';

export interface BucketLimit {
  /** Tokens that come back in a second. */
  perSecond: number;
  /** Tokens of a full bucket. */
  burst: number;
}

export interface Bucket {
  /** Takes a token: 0, or the milliseconds until there is one. */
  take(): number;
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
  return {
    take() {
      refill();
      if (tokens < 1) return Math.ceil(((1 - tokens) / perSecond) * 1000);
      tokens -= 1;
      return 0;
    },
    isFull() {
      refill();
      return tokens >= burst;
    },
  };
}
