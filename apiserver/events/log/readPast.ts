import type { EventResource } from '../../../core/events/objectEvent.ts';
import { trimForEvents } from '../../../core/events/trimOutbox.ts';
import { pageSizeOf } from '../../../core/events/watchedTypes.ts';
import { type HistoryItem, readHistory } from '../../../core/kube/cache/history.ts';
import type { Kube, ResourceType, Stored } from '../../../core/kube/kube.ts';

/** The past of one kind in all namespaces, from a revision on; see `readHistory`. */
export type ReadPast = (
  resourceVersion: string,
  signal: AbortSignal,
) => AsyncIterable<HistoryItem<EventResource>>;

/** Reads the past of a kind from kube-apiserver. */
export function createReadPast(
  kube: Pick<Kube, 'list' | 'watch'>,
  type: ResourceType<EventResource>,
): ReadPast {
  return (resourceVersion, signal) =>
    readHistory({ kube, type, trim: keptForEvents, pageSize: pageSizeOf(type), resourceVersion, signal });
}

/** What is kept of an object between its changes. */
export function keptForEvents(object: Stored<EventResource>): Stored<EventResource> {
  return object.kind === 'Outbox' ? trimForEvents(object) : object;
}
