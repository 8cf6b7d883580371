import type { KeyScope } from '../../../core/accounts/accessKeys.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import type { KeyEntry } from '../api/record.ts';
import type { RpcKeyResource } from '../api/rpcKey.ts';

/** Whether an entry is that of this object: of no other one that had its name. */
export function isEntryOf(entry: KeyEntry | undefined, { metadata }: Stored<RpcKeyResource>): boolean {
  return entry?.uid === metadata.uid;
}

/** Whether a key with this end no longer opens anything. Without an end it opens until it is revoked. */
export function hasExpired(expiresAt: string | undefined, nowMs: number): boolean {
  return (parseRfc3339(expiresAt) ?? Number.POSITIVE_INFINITY) <= nowMs;
}

/** What the text of a key covers: also of a network of 0.3, whose other keys cover its id alone. */
export function scopeOf(namespace: string, networkId: string): Required<KeyScope> {
  return { id: networkId, namespace };
}

/** What to do instead of a key for a network that has no URLs of its own. */
export const membersKeys = 'create keys for its members';
