import { contractNameOf } from '../../apiserver/verification/contracts.ts';
import type { JournalResource } from '../../core/api/resources/journal.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import type { VerifiedContractResource } from '../../core/api/resources/verifiedContract.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { keyRecordNameOf, queueNameOf, queueRefOf } from '../../core/outbox/outboxObjects.ts';
import { engineIncarnationOf, pluginIncarnationOf } from '../../operator/network/render/childNames.ts';
import { journalNameOf } from '../../operator/ports/journals.ts';
import type { AnyObject } from './kinds.ts';

/**
 * Kubernetes gives each restored object a new uid, and Slipway's ids, owners, scopes and names follow from uids. What was
 * known under a former uid is known under the new one: uids are unique words, so they are replaced wherever a text has
 * them, and names that are hashes of them are computed again.
 */
export interface Renames {
  add(former: string, now: string): void;
  /** The value with all known words replaced, at every depth and inside texts. */
  apply<T>(value: T): T;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** uids, names of sender queues, key records, journals and contracts, and incarnations of engines. */
const words = new RegExp(`${uuid}|[ojk][0-9a-f]{24,40}|contract-[0-9a-f]{40}|\\b[0-9a-f]{10}\\b`, 'g');

export function createRenames(): Renames {
  const known = new Map<string, string>();
  return {
    add: (former, now) => void known.set(former, now),
    apply<T>(value: T): T {
      const text = JSON.stringify(value);
      return JSON.parse(text.replace(words, (word) => known.get(word) ?? word)) as T;
    },
  };
}

/** The uids that a value names. */
export function uidsIn(value: unknown): string[] {
  return JSON.stringify(value ?? null).match(new RegExp(uuid, 'g')) ?? [];
}

/** Learns the names of an object that follow from uids which are known already. */
export function learnName(renames: Renames, object: Stored<AnyObject>): void {
  const namesOf = computedNames[object.kind];
  if (!namesOf) return;
  const now = namesOf(renames.apply(object));
  for (const [index, former] of namesOf(object).entries()) renames.add(former, now[index] ?? former);
}

/** Learns what follows from the uid of a network: what identifies the engines of its chain. */
export function learnIncarnation(renames: Renames, former: Stored<AnyObject>, uid: string): void {
  const before = former as unknown as Stored<NetworkResource>;
  const now = { ...before, metadata: { ...before.metadata, uid } };
  for (const hashOf of [engineIncarnationOf, pluginIncarnationOf]) renames.add(hashOf(before), hashOf(now));
}

type NamesOf = (object: Stored<AnyObject>) => string[];

const computedNames: Readonly<Record<string, NamesOf>> = {
  Outbox: (object) => outboxNamesOf(object as unknown as Stored<OutboxResource>),
  Journal: (object) => [journalNameOf((object as unknown as JournalResource).spec.scope)],
  VerifiedContract(object) {
    const { networkID, enclaveID, address } = (object as unknown as VerifiedContractResource).spec;
    return [contractNameOf({ uid: networkID, enclaveID, address })];
  },
};

/** The queue's name, which begins those of most of its objects; an archived batch with an idempotency key has its own. */
function outboxNamesOf(object: Stored<OutboxResource>): string[] {
  const queue = queueNameOf(queueRefOf(object));
  if (!/^k[0-9a-f]{40}$/.test(object.metadata.name)) return [queue];
  const [batch] = batchesOf(object);
  return [queue, keyRecordNameOf(queue, batch?.idempotencyKey ?? '')];
}
