import { z } from 'zod';
import { compact } from '../../lib/compact.ts';
import { toQuantity } from '../../lib/text/quantity.ts';

const accountSchema = z.object({
  balance: z.string().optional(),
  nonce: z.number().int().nonnegative().optional(),
  code: z.string().optional(),
  storage: z.record(z.string(), z.string()).optional(),
});
const accountsSchema = z.record(z.string(), accountSchema);

/** What a transaction changes, as geth's prestateTracer answers it with `diffMode`. */
export const stateChangeSchema = z.object({ pre: accountsSchema, post: accountsSchema });
export type StateChange = z.infer<typeof stateChangeSchema>;
type TracedAccount = z.infer<typeof accountSchema>;

interface AccountOverride {
  /** Quantities and bytes in 0x-prefixed hexadecimal. */
  balance?: string;
  nonce?: string;
  code?: string;
  /** By slot: changed words, all others are the chain's. */
  stateDiff?: Record<string, string>;
  /** By slot: the whole storage, of an account that was destroyed. Excludes `stateDiff`. */
  state?: Record<string, string>;
}

/** By address: what a call finds instead of the chain's state (geth's state overrides). */
export type StateOverrides = Readonly<Record<string, AccountOverride>>;

const zeroWord = `0x${'00'.repeat(32)}`;
const destroyed: AccountOverride = { balance: '0x0', nonce: '0x0', code: '0x', state: {} };

/** The state after a change of the state that `overrides` describe. */
export function withChange(overrides: StateOverrides, { pre, post }: StateChange): StateOverrides {
  const addresses = new Set([...Object.keys(pre), ...Object.keys(post)]);
  const changed = [...addresses].map((address) => {
    const after = post[address];
    // The tracer leaves an account out of `post` when it is destroyed.
    return [address, after ? changedAccount(overrides[address] ?? {}, pre[address] ?? {}, after) : destroyed];
  });
  return { ...overrides, ...Object.fromEntries(changed) };
}

function changedAccount(
  { state, stateDiff, ...known }: AccountOverride,
  before: TracedAccount,
  { balance, nonce, code, storage }: TracedAccount,
): AccountOverride {
  // Words that become zero are in `pre` alone.
  const cleared = Object.keys(before.storage ?? {}).map((slot) => [slot, zeroWord]);
  const words = { ...(state ?? stateDiff), ...Object.fromEntries(cleared), ...storage };
  return {
    ...known,
    ...compact({ balance, code, nonce: nonce === undefined ? undefined : toQuantity(nonce) }),
    ...(state ? { state: words } : { stateDiff: words }),
  };
}
