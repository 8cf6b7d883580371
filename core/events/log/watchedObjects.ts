import { createStore } from '../../kube/cache/store.ts';
import type { Stored } from '../../kube/kube.ts';
import { keyOf, strip, versionOf } from '../../kube/objects.ts';
import { type Clock, toRfc3339 } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { OutboxFinder } from '../../outbox/records.ts';
import { writtenAt } from '../eventId.ts';
import { eventsOf } from '../eventsOf.ts';
import type { EventResource, ObjectEvent } from '../objectEvent.ts';
import type { Entry } from './segment.ts';

type EventObject = Stored<EventResource>;
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The objects of a kind as they were at one version of the cluster, and the events in what changes them. */
export interface WatchedObjects {
  inNamespace(namespace: string): EventObject[];
  readonly outboxes: OutboxFinder;
  /** Begins again with a complete list. */
  replace(items: readonly EventObject[]): void;
  /** Takes a change without its events. `kept` is what is remembered of the object. */
  note(type: ChangeType, kept: EventObject): void;
  /** Takes a change; undefined if it is not an event. */
  take(type: ChangeType, object: EventObject, kept: EventObject): Entry | undefined;
  /**
   * Begins again with a complete list, whose changes nobody saw: what differs, by namespace, with the last change of each
   * object. Too little is remembered of transactions to tell their events: such an entry has none.
   */
  compare(items: readonly EventObject[], resourceVersion: string): Map<string, Entry[]>;
}

/** A transaction in memory, with what is rendered of it. */
const transactionBytes = 1500;

export function createWatchedObjects({ clock, log }: { clock: Clock; log: Log }): WatchedObjects {
  const objects = createStore<EventObject>();
  const outboxes: OutboxFinder = {
    get(ref) {
      const found = objects.get(ref);
      return found?.kind === 'Outbox' ? found : undefined;
    },
  };

  /** An object that somebody corrupted by hand has no events, and does not stop the watch. */
  function eventsIn(before: EventObject | undefined, after: EventObject | undefined): ObjectEvent[] {
    try {
      return eventsOf(before, after, outboxes);
    } catch (error) {
      log.error('cannot derive events', { kind: (after ?? before)?.kind, error: messageOf(error) });
      return [];
    }
  }

  function entryOf(object: EventObject, events: readonly ObjectEvent[], writtenAt?: string): Entry {
    const arrivedMs = clock.nowMs();
    const at = writtenAt ?? toRfc3339(arrivedMs);
    return {
      kind: object.kind,
      namespace: object.metadata.namespace,
      revision: versionOf(object),
      events: events.map((event) => ({ ...slim(event), at })),
      bytes: bytesOf(events),
      arrivedMs,
    };
  }

  function note(type: ChangeType, kept: EventObject): void {
    if (type === 'DELETED') objects.delete(kept.metadata);
    else objects.set(strip(kept));
  }

  function replace(items: readonly EventObject[]): void {
    for (const { metadata } of objects.list()) objects.delete(metadata);
    for (const item of items) objects.set(strip(item));
  }

  return {
    inNamespace: objects.inNamespace,
    outboxes,
    replace,
    note,
    take(type, object, kept) {
      const isGone = type === 'DELETED';
      const whole = strip(object);
      const before = objects.get(object.metadata);
      note(type, kept);
      const events = isGone ? eventsIn(whole, undefined) : eventsIn(before, whole);
      // Its last write says nothing of when an object was deleted.
      return events.length === 0
        ? undefined
        : entryOf(object, events, isGone ? undefined : writtenAt(object.metadata));
    },
    compare(items, resourceVersion) {
      const before = new Map(objects.list().map((object) => [keyOf(object.metadata), object]));
      replace(items);
      const entries = items.flatMap((item) => {
        const old = before.get(keyOf(item.metadata));
        before.delete(keyOf(item.metadata));
        if (old?.metadata.resourceVersion === item.metadata.resourceVersion) return [];
        return [entryOf(item, item.kind === 'Outbox' ? [] : eventsIn(old, item), writtenAt(item.metadata))];
      });
      const gone = [...before.values()].map((old) => {
        const last = { ...old, metadata: { ...old.metadata, resourceVersion } };
        return entryOf(last, eventsIn(last, undefined));
      });
      return Map.groupBy([...entries, ...gone], ({ namespace }) => namespace);
    },
  };
}

/** Without the content of an Outbox: a transaction does not keep all others of its sender queue in memory. */
function slim(event: ObjectEvent): ObjectEvent {
  const { resource } = event;
  if (resource.kind !== 'Outbox') return event;
  const { batches: _, gapTransactions: __, ...spec } = resource.spec;
  return { ...event, resource: { ...resource, spec } };
}

/** The object is in memory twice: as it is, and rendered. */
function bytesOf(events: readonly ObjectEvent[]): number {
  const [first] = events;
  if (!first || first.transaction) return events.length * transactionBytes;
  return 3 * JSON.stringify(first.resource).length;
}
