import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../core/lib/clock.ts';
import { keyIdOf } from '../auth/auth.ts';
import type { RateLimit } from './rateLimit.ts';

/** How long a refusal is held back: who waits for its answer sends nothing on that connection meanwhile. */
const holdMs = 200;
/** More than these are refused at once. */
const maxHeld = 1000;

/**
 * The first look at a request: undefined lets it pass, else the error to answer with, when it is time. A refusal must
 * cost little: a caller who sends twenty times what it may is refused nineteen times of twenty.
 */
export type FloodGate = (headers: IncomingHttpHeaders) => Promise<unknown> | undefined;

export function createFloodGate(limit: RateLimit, clock: Clock): FloodGate {
  let held = 0;
  return (headers) => {
    const keyId = keyIdOf(headers);
    if (keyId === undefined) return undefined;
    try {
      limit.check(keyId);
      return undefined;
    } catch (error) {
      if (held >= maxHeld) return Promise.resolve(error);
      held += 1;
      return new Promise((resolve) => {
        clock.after(holdMs, () => {
          held -= 1;
          resolve(error);
        });
      });
    }
  };
}
