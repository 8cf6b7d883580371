import { apiVersion } from '../../../core/api/names.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { budgetUsedUp } from '../../../core/lib/errors.ts';
import { readFirstKeyEpoch } from '../../../core/networks/firstKeyEpoch.ts';
import {
  type KeyEntry,
  maxEntries,
  type RpcKeyRecordResource,
  recordName,
  rpcKeyRecordType,
} from '../api/record.ts';
import { maxKeys, type RpcKeyResource } from '../api/rpcKey.ts';
import { isEntryOf } from '../core/standing.ts';

interface RecordDeps {
  kube: Pick<Kube, 'get' | 'create' | 'patch' | 'serverTimeMs'>;
  records: Pick<Reflector<RpcKeyRecordResource>, 'get' | 'observe'>;
  keys: Pick<Reflector<RpcKeyResource>, 'get'>;
}

/** What a write changes; null removes an entry. */
interface Written {
  keys: Record<string, KeyEntry | null>;
  floor?: number;
}

/** Lets keys begin: each object that has a name after another one begins with another epoch. */
export interface KeyRecords {
  /**
   * The epoch of a key, once the record says so: the gateway opens nothing before. Throws TooManyRequests if the network or the
   * workspace has as many keys as it may have.
   */
  admit(key: Stored<RpcKeyResource>, networkId: string): Promise<number>;
}

export function createKeyRecords({ kube, records, keys }: RecordDeps): KeyRecords {
  /** On the record that the epoch comes from: after another write, the reconcile is tried again with that one. */
  async function write(
    namespace: string,
    known: Stored<RpcKeyRecordResource> | undefined,
    spec: Written,
  ): Promise<void> {
    const ref = { namespace, name: recordName };
    if (!known) {
      const first = { apiVersion, kind: 'RpcKeyRecord' as const, metadata: ref, spec: { keys: spec.keys } };
      return records.observe(await kube.create(rpcKeyRecordType, first as RpcKeyRecordResource));
    }
    const { resourceVersion } = known.metadata;
    records.observe(await kube.patch(rpcKeyRecordType, ref, { metadata: { resourceVersion }, spec }));
  }

  return {
    async admit(key, network) {
      const { namespace, name, uid } = key.metadata;
      const record = records.get({ namespace, name: recordName });
      const { keys: entries, floor } = record?.spec ?? { keys: {} };
      const entry = entries[name];
      if (entry && isEntryOf(entry, key) && entry.network === network) return entry.epoch;
      checkHasRoom(entries, network, (other) => keys.get({ namespace, name: other }));
      const isGone = (one: string) => !keys.get({ namespace, name: one });
      const ended = entry || Object.keys(entries).length < maxEntries ? [] : oldestOf(entries, isGone);
      const epoch =
        epochFor(key, entry) ?? Math.max(floorOf(floor, ended), await readFirstKeyEpoch(kube, namespace));
      const at = toRfc3339(await kube.serverTimeMs());
      const removed = Object.fromEntries(ended.map(([one]) => [one, null]));
      const next = { ...removed, [name]: { uid, network, epoch, at } };
      const raised = ended.length > 0 ? { floor: floorOf(floor, ended) } : {};
      await write(namespace, record, { keys: next, ...raised });
      return epoch;
    },
  };
}

/** The epoch of a key whose name has an entry. */
function epochFor(key: Stored<RpcKeyResource>, entry: KeyEntry | undefined): number | undefined {
  if (!entry) return undefined;
  return isEntryOf(entry, key) ? entry.epoch : entry.epoch + 1;
}

/** The keys that have begun count, so that none ends because of another one. */
function checkHasRoom(
  entries: Record<string, KeyEntry>,
  network: string,
  keyOf: (name: string) => Stored<RpcKeyResource> | undefined,
): void {
  const begun = Object.entries(entries).filter(([name, entry]) => {
    const key = keyOf(name);
    return entry.network === network && key && !key.metadata.deletionTimestamp && isEntryOf(entry, key);
  });
  if (begun.length < maxKeys) return;
  throw budgetUsedUp(`the network has ${maxKeys} keys, which is the limit: revoke one`);
}

/** How many entries make room at a time. */
const endedAtOnce = 100;

/** Throws TooManyRequests if none makes room. */
function oldestOf(
  entries: Record<string, KeyEntry>,
  isGone: (name: string) => boolean,
): [string, KeyEntry][] {
  const ended = Object.entries(entries)
    .filter(([name]) => isGone(name))
    .sort(([, one], [, other]) => (one.at < other.at ? -1 : 1))
    .slice(0, endedAtOnce);
  if (ended.length > 0) return ended;
  throw budgetUsedUp(`the workspace has ${maxEntries} RPC keys: delete one`);
}

/** No key that has an entry no longer may return: names without one begin after all of those. */
function floorOf(before = 0, ended: readonly [string, KeyEntry][]): number {
  return Math.max(before, ...ended.map(([, { epoch }]) => epoch + 1));
}
