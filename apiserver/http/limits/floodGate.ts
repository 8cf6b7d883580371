import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../core/lib/clock.ts';
import { keyIdOf } from '../auth/auth.ts';
import type { RateLimit } from './rateLimit.ts';

/** How long a refusal is delayed: a client that waits for its answer sends nothing else on that connection. */
const holdMs = 200;
/** Above this many delayed refusals, requests are refused without delay. */
const maxHeld = 1000;

/**
 * The first check of a request: undefined admits it; else the promise resolves to the error to answer with. A refusal
 * must be cheap: a caller at twenty times its limit is refused nineteen times out of twenty.
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
