import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/auth.ts';
import type { Principal } from '../auth/principal.ts';
import type { CallerLimits } from './callerLimits.ts';
import { nameOf } from './holders.ts';
import { largeBodyBytes } from './largeBodies.ts';
import type { Hold, MemoryBudget } from './memoryBudget.ts';
import type { Charge } from './price.ts';

/** A request in the accounts of its caller, from authentication until the caller has the answer. */
export interface Account {
  limits: CallerLimits;
  hold: Hold;
  /** Lets a body longer than `bytes` begin only while the account has no other one. */
  large: { bytes: number; begin(): void };
  /** Counts the Idempotency-Key of the request. Throws TooManyRequests. */
  takeKey(): void;
  /** Counts what the request costs beyond one. */
  charge: Charge;
  /** Called when the caller has taken the answer. */
  release(): void;
}

/**
 * Counts a request for the owner of its workspace and waits until its account may run another. Rejects with TooManyRequests. A caller
 * without credentials is an account of its address.
 */
export async function openAccount(
  limits: CallerLimits,
  caller: Pick<Caller, 'userId' | 'presumed'> | undefined,
  request: IncomingMessage,
): Promise<Account> {
  const name = caller ? nameOf(caller) : `address/${limits.sourceOf(request)}`;
  const principal = caller?.presumed;
  const share = principal && limits.shares.of(principal.namespace, principal.userId);
  if (share) limits.workspaceRate.take(share);
  const end = await limits.concurrency.begin(name);
  const hold = limits.memory.open('account', name, principal?.namespace);
  let endLarge = () => {};
  return {
    limits,
    hold,
    large: {
      bytes: largeBodyBytes,
      begin() {
        endLarge = limits.largeBodies.begin(name);
      },
    },
    takeKey() {
      limits.accountKeys.take(name);
      if (share) limits.workspaceKeys.take(share);
    },
    charge(requests) {
      if (caller) limits.accountRate.charge(caller.userId, requests);
      if (share) limits.workspaceRate.charge(share, requests);
    },
    release() {
      endLarge();
      hold.release();
      end();
    },
  };
}

/** Memory of a caller's account for what outlives its request, or is made for it besides. */
export function openHold(memory: MemoryBudget, principal: Principal): Hold {
  return memory.open('account', nameOf(principal), principal.namespace);
}
