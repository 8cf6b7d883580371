import type { OutboxBatch, OutboxResource, OutboxSpec } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { trimForEvents } from '../../core/events/trimOutbox.ts';
import { pageSizeOf } from '../../core/events/watchedTypes.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { flatMapBatches } from '../../core/outbox/batches.ts';
import { hashesIn } from '../../core/outbox/packedTransactions.ts';
import { outboxIndexes } from './outboxIndexes.ts';

/** What is remembered of an archive: enough to know whether to read it. */
interface ArchiveSummary {
  /** The first four bytes of each hash. */
  prefixes: Uint32Array;
  /** When the first and the last of its transactions were accepted. */
  oldestMs: number;
  newestMs: number;
}

/** By spec, which stays the same object in the cache. */
const summaries = new WeakMap<OutboxSpec, ArchiveSummary>();

/**
 * All Outboxes, not yet started. Sender queues are complete, parts have their hashes alone, and archives only a
 * summary: memory grows with what is open, and by a few bytes for each archived transaction.
 */
export function createOutboxCache(
  options: Pick<ReflectorOptions<OutboxResource>, 'kube' | 'log' | 'clock' | 'kubeMetrics' | 'tap'>,
): Reflector<OutboxResource> {
  const type = outboxType;
  return createReflector({
    ...options,
    type,
    pageSize: pageSizeOf(type),
    indexes: outboxIndexes,
    trim: trimOutbox,
  });
}

/** An Outbox as it is cached. */
export function trimOutbox(object: Stored<OutboxResource>): Stored<OutboxResource> {
  const trimmed = trimForEvents(object);
  const batches = () => flatMapBatches(object, (batch) => [batch]);
  if (object.spec.role === 'archive') summaries.set(trimmed.spec, summaryOf(batches()));
  return trimmed;
}

function summaryOf(batches: readonly OutboxBatch[]): ArchiveSummary {
  const times = batches.map(({ acceptedAt }) => parseRfc3339(acceptedAt) ?? 0);
  return {
    prefixes: Uint32Array.from(batches.flatMap(hashesIn), prefixOf),
    oldestMs: Math.min(...times),
    newestMs: Math.max(...times),
  };
}

const prefixOf = (hash: string): number => Number.parseInt(hash.slice(2, 10), 16);

export interface ArchiveRef extends Pick<ArchiveSummary, 'oldestMs' | 'newestMs'> {
  namespace: string;
  name: string;
}

/** The archives among cached objects; with a hash, those that may contain it. */
export function archivesAmong(objects: readonly Stored<OutboxResource>[], hash?: string): ArchiveRef[] {
  const prefix = hash === undefined ? undefined : prefixOf(hash);
  return objects.flatMap(({ metadata, spec }) => {
    const summary = summaries.get(spec);
    if (!summary || (prefix !== undefined && !summary.prefixes.includes(prefix))) return [];
    const { namespace, name } = metadata;
    return [{ namespace, name, oldestMs: summary.oldestMs, newestMs: summary.newestMs }];
  });
}
