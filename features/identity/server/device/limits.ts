import { currentSource } from '../../../../apiserver/http/limits/source.ts';
import { createSourceBudget } from '../../../../apiserver/http/limits/sourceBudget.ts';
import { createBoundedMap } from '../../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../../core/lib/clock.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { type Attempts, createAttempts } from '../signIn/attempts.ts';

/** What a replica remembers of machines that ask, and of people who type their codes. */
export interface DeviceLimits {
  /** Each is an object for an hour. Throws TooManyRequests. */
  begin(): void;
  /** Throws TooManyRequests if the machine asks before its interval is over. */
  poll(deviceId: string): void;
  /** Wrong codes. */
  codes: Attempts;
}

export const pollSeconds = 3;
/** Clocks and networks are not exact. */
const toleranceMs = 1_000;
const limits = {
  perSource: { perSecond: 1 / 15, burst: 20 },
  everybody: { perSecond: 1, burst: 100 },
  reserve: { perSecond: 1 / 2, burst: 50 },
};
const maxPolls = 10_000;

export function createDeviceLimits(clock: Clock): DeviceLimits {
  const sources = createSourceBudget(limits, clock);
  const polls = createBoundedMap<string, number>(maxPolls);
  return {
    begin() {
      const waitMs = sources.spend(currentSource());
      if (waitMs > 0) throw tooMany('too many machines ask for access: wait, or use an API key', waitMs);
    },
    poll(deviceId) {
      const nowMs = clock.nowMs();
      const waitMs = (polls.get(deviceId) ?? 0) + pollSeconds * 1000 - nowMs;
      polls.set(deviceId, nowMs);
      if (waitMs > toleranceMs) throw tooMany('the machine asks too often: slow down', pollSeconds * 1000);
    },
    codes: createAttempts(clock, 'too many wrong codes: wait before you try another one'),
  };
}

function tooMany(message: string, waitMs: number): AppError {
  return new AppError('TooManyRequests', message, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}
