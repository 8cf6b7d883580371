import { createStore, type Store } from '../../kube/cache/store.ts';
import type { Stored } from '../../kube/kube.ts';
import { keyOf, strip } from '../../kube/objects.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { OutboxFinder } from '../../outbox/records.ts';
import { writtenAt } from '../eventId.ts';
import { eventsOf } from '../eventsOf.ts';
import type { EventResource, ObjectEvent } from '../objectEvent.ts';
import { type Entry, entryOf } from './segment.ts';

type EventObject = Stored<EventResource>;
type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The objects of a kind as they were at one version of the cluster, and the events in what changes them. */
export interface WatchedObjects {
  inNamespace(namespace: string): EventObject[];
  list(): EventObject[];
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

interface Deps {
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
}

export function createWatchedObjects({ clock, log }: Deps): WatchedObjects {
  const objects = createStore<EventObject>();
  const outboxes = outboxesIn(objects);
  /** An object that somebody corrupted by hand has no events, and does not stop the watch. */
  const eventsIn = (before: EventObject | undefined, after: EventObject | undefined): ObjectEvent[] => {
    try {
      return eventsOf(before, after, outboxes);
    } catch (error) {
      log.error('cannot derive events', { kind: (after ?? before)?.kind, error: messageOf(error) });
      return [];
    }
  };

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
    list: objects.list,
    outboxes,
    replace,
    note,
    take(type, object, kept) {
      const isGone = type === 'DELETED';
      const whole = strip(object);
      const before = objects.get(object.metadata);
      note(type, kept);
      const events = isGone ? eventsIn(whole, undefined) : eventsIn(before, whole);
      // The last write of an object says nothing of when it was deleted.
      const at = isGone ? undefined : writtenAt(object.metadata);
      return events.length === 0 ? undefined : entryOf(object, events, { at, nowMs: clock.nowMs() });
    },
    compare(items, resourceVersion) {
      const pairs = differences(objects.list(), items, resourceVersion);
      replace(items);
      const entries = pairs.map(([before, after]) => {
        const events = after?.kind === 'Outbox' ? [] : eventsIn(before, after);
        const at = after && writtenAt(after.metadata);
        return entryOf(after ?? before, events, { at, nowMs: clock.nowMs() });
      });
      return Map.groupBy(entries, ({ namespace }) => namespace);
    },
  };
}

type Difference =
  | [before: EventObject | undefined, after: EventObject]
  | [before: EventObject, after: undefined];

/** Each object that is another one in a list. One that is gone has the version of the list. */
function differences(
  known: readonly EventObject[],
  items: readonly EventObject[],
  resourceVersion: string,
): Difference[] {
  const gone = new Map(known.map((object) => [keyOf(object.metadata), object]));
  const changed = items.flatMap((after): Difference[] => {
    const key = keyOf(after.metadata);
    const before = gone.get(key);
    gone.delete(key);
    return before?.metadata.resourceVersion === after.metadata.resourceVersion ? [] : [[before, after]];
  });
  const deleted = [...gone.values()].map((before): Difference => {
    return [{ ...before, metadata: { ...before.metadata, resourceVersion } }, undefined];
  });
  return [...changed, ...deleted];
}

function outboxesIn(objects: Pick<Store<EventObject>, 'get'>): OutboxFinder {
  return {
    get(ref) {
      const found = objects.get(ref);
      return found?.kind === 'Outbox' ? found : undefined;
    },
  };
}
