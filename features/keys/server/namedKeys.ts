import { timingSafeEqual } from 'node:crypto';
import type { NamedKey, NamedKeys } from '../../../apiserver/gateway/deps.ts';
import type { StoredKind } from '../../../apiserver/store/storedKinds.ts';
import { namedKeyOf } from '../../../core/accounts/accessKeys.ts';
import type { Keyring } from '../../../core/accounts/keyring.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { keptBytes } from '../../../core/lib/keptBytes.ts';
import { type KeyEntry, type RpcKeyRecordResource, recordName } from '../api/record.ts';
import type { RpcKeyResource } from '../api/rpcKey.ts';
import { isEntryOf, scopeOf } from '../core/standing.ts';

export interface NamedKeyDeps {
  keys: StoredKind<RpcKeyResource>;
  records: StoredKind<RpcKeyRecordResource>;
  accessKeys: Keyring;
}

type Network = Parameters<NamedKeys['find']>[0];
interface Candidate {
  text: Buffer;
  named: NamedKey;
}

/** Keys that opened a network, and were revoked last, say so: of each name one. */
export function createNamedKeys({ keys, records, accessKeys }: NamedKeyDeps): NamedKeys {
  /** By namespace and id of the network. What is here is valid until something changes in its namespace. */
  const known = new Map<string, Map<string, Candidate[]>>();
  const listeners = new Set<(namespace: string) => void>();
  const changed = ({ object: { metadata } }: { object: { metadata: { namespace: string } } }) => {
    known.delete(metadata.namespace);
    for (const listener of [...listeners]) listener(metadata.namespace);
  };
  keys.onChange(changed);
  records.onChange(changed);
  const entriesIn = (namespace: string) => records.cache.byName(namespace, recordName)?.spec.keys ?? {};

  function candidatesOf({ id, name: network, namespace }: Network): Candidate[] {
    const own = known.get(namespace) ?? new Map<string, Candidate[]>();
    known.set(namespace, own);
    const found =
      own.get(id) ??
      Object.entries(entriesIn(namespace)).flatMap(([name, entry]) => {
        if (entry.network !== id) return [];
        const object = keys.cache.byName(namespace, name);
        const isOpen = object?.spec.network === network && isEntryOf(entry, object);
        return textsOf(accessKeys, { namespace, name, entry, object: isOpen ? object : undefined });
      });
    own.set(id, found);
    return found;
  }

  return {
    find(network, accessKey) {
      const given = Buffer.from(accessKey);
      const isIt = ({ text }: Candidate) => text.length === given.length && timingSafeEqual(text, given);
      return candidatesOf(network).find(isIt)?.named;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface Named {
  namespace: string;
  name: string;
  entry: KeyEntry;
  /** Undefined: the entry is that of a key that was revoked. */
  object: RpcKeyResource | undefined;
}

/** The key of a name, and the one before it, with each key of the installation. */
function textsOf({ keys }: Keyring, { namespace, name, entry, object }: Named): Candidate[] {
  const scope = scopeOf(namespace, entry.network);
  const revoked = { name, methods: undefined, expiresAtMs: undefined, isRevoked: true };
  const current = object
    ? {
        name,
        methods: object.spec.methods,
        expiresAtMs: parseRfc3339(object.spec.expiresAt),
        isRevoked: false,
      }
    : revoked;
  const epochs = [
    { epoch: entry.epoch, named: current },
    ...(entry.epoch > 0 ? [{ epoch: entry.epoch - 1, named: revoked }] : []),
  ];
  return [...keys.values()].flatMap((key) =>
    epochs.map(({ epoch, named }) => ({ text: keptBytes(namedKeyOf(key, { scope, name, epoch })), named })),
  );
}
