import type { KeyScope } from '../../../core/accounts/accessKeys.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { KeyEntry } from '../api/record.ts';
import type { RpcKeyResource } from '../api/rpcKey.ts';

/** Whether an entry is that of this object: of no other one that had its name. */
export function isEntryOf(entry: KeyEntry | undefined, { metadata }: Stored<RpcKeyResource>): boolean {
  return entry?.uid === metadata.uid;
}

/** What the text of a key covers: also of a network of 0.3, whose other keys cover its id alone. */
export function scopeOf(namespace: string, networkId: string): Required<KeyScope> {
  return { id: networkId, namespace };
}
