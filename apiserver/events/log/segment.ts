import { writtenAt } from '../../../core/events/eventId.ts';
import { eventsOf } from '../../../core/events/eventsOf.ts';
import type { EventResource, ObjectEvent } from '../../../core/events/objectEvent.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseVersion, strip, versionOf } from '../../../core/kube/objects.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import type { OutboxFinder } from '../../../core/outbox/records.ts';
import { createVersions } from './versions.ts';

/** An event that streams deliver. `texts` has what was rendered of it, by the class of its readers. */
export interface LoggedEvent extends ObjectEvent {
  at: string;
  texts?: Map<string, string>;
}

/** The events in one change. */
export interface Entry {
  kind: EventResource['kind'];
  namespace: string;
  revision: bigint;
  events: LoggedEvent[];
  /** Estimate of the memory that it takes once it is rendered. */
  bytes: number;
  arrivedMs: number;
}

/** What a stream reads: the entries after its position, and the position after them. */
export type Reading =
  | { entries: readonly Entry[]; position: bigint }
  /** The position is before the beginning. */
  | 'behind'
  /** Entries after the position were dropped. */
  | 'lost';

type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The changes of one kind after `start` and up to `position`, in order and without gaps. */
export interface Segment {
  start: bigint;
  position: bigint;
  /** Ascending by revision. */
  entries: Map<string, Entry[]>;
  objectsIn(namespace: string): Stored<EventResource>[];
  readonly outboxes: OutboxFinder;
  /** Begins again with a complete list. */
  restart(items: readonly Stored<EventResource>[], resourceVersion: string): void;
  /** The entry of a change, not appended; undefined if it is not an event. */
  take(type: ChangeType, object: Stored<EventResource>, kept: Stored<EventResource>): Entry | undefined;
  append(entry: Entry): void;
}

/** A transaction in memory, with what is rendered of it. */
const transactionBytes = 1500;

export function createSegment(nowMs: () => number): Segment {
  const versions = createVersions<EventResource>();
  const outboxes: OutboxFinder = {
    get(ref) {
      const found = versions.get(ref);
      return found?.kind === 'Outbox' ? found : undefined;
    },
  };

  const segment: Segment = {
    start: 0n,
    position: 0n,
    entries: new Map(),
    objectsIn: versions.inNamespace,
    outboxes,
    restart(items, resourceVersion) {
      versions.replace(items.map(strip));
      segment.entries.clear();
      segment.start = parseVersion(resourceVersion);
      segment.position = segment.start;
    },
    take(type, object, kept) {
      const whole = strip(object);
      const before = versions.set(strip(kept));
      if (type === 'DELETED') versions.delete(object);
      segment.position = versionOf(object);
      const events =
        type === 'DELETED' ? eventsOf(whole, undefined, outboxes) : eventsOf(before, whole, outboxes);
      if (events.length === 0) return undefined;
      const arrivedMs = nowMs();
      const at = writtenAt(object.metadata) ?? toRfc3339(arrivedMs);
      return {
        kind: object.kind,
        namespace: object.metadata.namespace,
        revision: segment.position,
        events: events.map((event) => ({ ...slim(event), at })),
        bytes: bytesOf(events),
        arrivedMs,
      };
    },
    append(entry) {
      const own = segment.entries.get(entry.namespace);
      if (own) own.push(entry);
      else segment.entries.set(entry.namespace, [entry]);
    },
  };
  return segment;
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

/** The entries of a namespace after a revision. */
export function entriesAfter({ entries }: Segment, namespace: string, revision: bigint): readonly Entry[] {
  const own = entries.get(namespace) ?? [];
  let low = 0;
  let high = own.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = own[middle];
    if (entry && entry.revision <= revision) low = middle + 1;
    else high = middle;
  }
  return own.slice(low);
}
