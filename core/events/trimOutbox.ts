import type { OutboxResource, OutboxSpec } from '../api/resources/outbox.ts';
import type { Stored } from '../kube/kube.ts';
import { batchesOf, flatMapBatches, packBatches } from '../outbox/batches.ts';

/** The ids of an archive's batches, eight bytes each, by its spec, which stays the same object in memory. */
const archivedIds = new WeakMap<OutboxSpec, BigUint64Array>();

/** What must be kept of an Outbox so that the next change of it can be told apart: of an archive the ids of its batches. */
export function trimForEvents(object: Stored<OutboxResource>): Stored<OutboxResource> {
  const { spec } = object;
  if (spec.role === 'queue') return object;
  const { batches: _, ...kept } = spec;
  if (spec.role === 'bytes') {
    const slim = flatMapBatches(object, ({ raw: _raw, ...batch }) => [batch]);
    return { ...object, spec: { ...kept, batches: packBatches(slim) } };
  }
  archivedIds.set(kept, BigUint64Array.from(flatMapBatches(object, ({ id }) => [numberOf(id)])));
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return { ...object, metadata: { name, namespace, uid, resourceVersion, creationTimestamp }, spec: kept };
}

/** The ids of the batches in an Outbox, trimmed or not. */
export function batchIdsOf(object: Stored<OutboxResource>): { has(id: string): boolean } {
  const ids = archivedIds.get(object.spec);
  if (ids) return { has: (id) => ids.includes(numberOf(id)) };
  return new Set(batchesOf(object).map(({ id }) => id));
}

const numberOf = (id: string): bigint => BigInt(`0x${id}`);
