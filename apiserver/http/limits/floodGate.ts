import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../core/lib/clock.ts';
import { keyIdOf } from '../auth/auth.ts';
import type { RateLimit } from './rateLimit.ts';

/** How long a refusal is delayed at least: a client that waits for its answer sends nothing else on that connection. */
const holdMs = 200;
/** For each refusal of the same key that is delayed already. So a key gets at most 100 refusals a second. */
const morePerHeldMs = 10;
/** Above this many delayed refusals of a key, its connections are closed: a flood has to open them again. */
const maxHeldOfKey = 1024;
/** Above this many of all keys, requests are refused without delay. */
const maxHeld = 4096;

/**
 * The first check of a request: undefined admits it, `close` ends its connection; else the promise resolves to the error to answer with. A refusal
 * must be cheap: a caller at twenty times its limit is refused nineteen times out of twenty.
 */
export type FloodGate = (headers: IncomingHttpHeaders) => Promise<unknown> | 'close' | undefined;

export function createFloodGate(limit: RateLimit, clock: Clock): FloodGate {
  const held = new Map<string, number>();
  let all = 0;
  const add = (keyId: string, change: 1 | -1) => {
    const count = (held.get(keyId) ?? 0) + change;
    all += change;
    if (count > 0) held.set(keyId, count);
    else held.delete(keyId);
  };
  return (headers) => {
    const keyId = keyIdOf(headers);
    if (keyId === undefined) return undefined;
    try {
      limit.check(keyId);
      return undefined;
    } catch (error) {
      if ((held.get(keyId) ?? 0) >= maxHeldOfKey) return 'close';
      if (all >= maxHeld) return Promise.resolve(error);
      const delayMs = Math.max(holdMs, (held.get(keyId) ?? 0) * morePerHeldMs);
      add(keyId, 1);
      return new Promise((resolve) => {
        clock.after(delayMs, () => {
          add(keyId, -1);
          resolve(error);
        });
      });
    }
  };
}
