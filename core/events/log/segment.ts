import type { Stored } from '../../kube/kube.ts';
import { versionOf } from '../../kube/objects.ts';
import { toRfc3339 } from '../../lib/clock.ts';
import type { EventResource, ObjectEvent } from '../objectEvent.ts';

/** An event as it is kept. `texts` has what was rendered of it, by the class of its readers. */
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

/** What is read: the entries after a position, and the position after them. */
export type Reading =
  | { entries: readonly Entry[]; position: bigint }
  /** The position is before the beginning. */
  | 'behind'
  /** Entries after the position were dropped. */
  | 'lost';

/** The changes of one kind after `start` and up to `position`, in order and without gaps. */
export interface Segment {
  start: bigint;
  position: bigint;
  /** By namespace, ascending by revision. */
  entries: Map<string, Entry[]>;
  /** Up to which revision the entries of a namespace were dropped. */
  lost: Map<string, bigint>;
}

/** An empty one that begins and ends at a revision. */
export function createSegment(revision: bigint): Segment {
  return { start: revision, position: revision, entries: new Map(), lost: new Map() };
}

/** A transaction in memory, with what is rendered of it. */
const transactionBytes = 1500;

/** The entry of a change that was written at `at`, or else is seen now. */
export function entryOf(
  { kind, metadata }: Stored<EventResource>,
  events: readonly ObjectEvent[],
  { at, nowMs }: { at: string | undefined; nowMs: number },
): Entry {
  return {
    kind,
    namespace: metadata.namespace,
    revision: versionOf({ metadata }),
    events: events.map((event) => ({ ...slim(event), at: at ?? toRfc3339(nowMs) })),
    bytes: bytesOf(events),
    arrivedMs: nowMs,
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

export function append({ entries }: Segment, entry: Entry): void {
  const own = entries.get(entry.namespace);
  if (own) own.push(entry);
  else entries.set(entry.namespace, [entry]);
}

/** The changes in a namespace after a revision that is not before the start. */
export function readSegment(segment: Segment, namespace: string, after: bigint): Reading {
  if (after < (segment.lost.get(namespace) ?? 0n)) return 'lost';
  const own = segment.entries.get(namespace) ?? [];
  let low = 0;
  let high = own.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = own[middle];
    if (entry && entry.revision <= after) low = middle + 1;
    else high = middle;
  }
  // A reader may be ahead, where another replica was: nothing is told twice.
  return { entries: own.slice(low), position: later(after, segment.position) };
}

export const later = (one: bigint, other: bigint): bigint => (one < other ? other : one);
