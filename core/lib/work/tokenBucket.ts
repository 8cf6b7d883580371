import type { Clock } from '../clock.ts';

export interface BucketLimit {
  /** Tokens added per second. */
  perSecond: number;
  /** Tokens in a full bucket. */
  burst: number;
}

export interface Bucket {
  /**
   * Takes `tokens`, one if absent, and returns 0, or returns the milliseconds until one is available. What costs more than one begins
   * while there is one, and leaves a debt that is paid before the next: so a small bucket refuses nothing for ever.
   */
  take(tokens?: number): number;
  /** The milliseconds until a token is available; 0 if one is available now. */
  waitMs(): number;
  isFull(): boolean;
  /** Takes tokens whether they are there or not: what comes next waits until they are. */
  charge(tokens: number): void;
  /** Returns tokens that were taken for nothing; one if absent. */
  giveBack(tokens?: number): void;
}

/** A token bucket that starts full. If the clock is set back, nothing is refilled. */
export function createBucket({ perSecond, burst }: BucketLimit, clock: Clock): Bucket {
  let left = burst;
  let atMs = clock.nowMs();
  const refill = (): void => {
    const nowMs = clock.nowMs();
    left = Math.min(burst, left + (Math.max(0, nowMs - atMs) / 1000) * perSecond);
    atMs = nowMs;
  };
  const waitMs = (): number => {
    refill();
    return left < 1 ? Math.ceil(((1 - left) / perSecond) * 1000) : 0;
  };
  return {
    take(tokens = 1) {
      const ms = waitMs();
      if (ms === 0) left -= tokens;
      return ms;
    },
    waitMs,
    isFull() {
      refill();
      return left >= burst;
    },
    charge(tokens) {
      refill();
      left -= tokens;
    },
    giveBack(tokens = 1) {
      left = Math.min(burst, left + tokens);
    },
  };
}
