import type { HistoryItem } from '../../kube/cache/history.ts';
import { parseVersion, versionOf } from '../../kube/objects.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { EventResource } from '../objectEvent.ts';
import { keptForEvents, type ReadPast } from './readPast.ts';
import { createRetention } from './retention.ts';
import { append, createSegment, type Segment } from './segment.ts';
import { createWatchedObjects, type WatchedObjects } from './watchedObjects.ts';

/** Of a longer past, the workspace with the most changes loses its oldest. */
const maxBytes = 32 * 1024 * 1024;

/** One read of the past, up to where a log begins. */
export interface PastReading {
  /** Where it begins; may be lowered until it has begun. */
  after: bigint;
  hasBegun: boolean;
  /** What can be read; undefined until the objects at its beginning are known. */
  segment: Segment | undefined;
  /** The objects at the end of `segment`. */
  objects: WatchedObjects | undefined;
  stop: AbortController;
  /** Resolves when `segment` can be read; false if it never will. */
  opened: PromiseWithResolvers<boolean>;
}

interface PastOptions {
  readPast: ReadPast;
  clock: Clock;
  log: Log;
  onEntry(namespace: string): void;
  onAll(): void;
}

export function newPastReading(after: bigint): PastReading {
  return {
    after,
    hasBegun: false,
    segment: undefined,
    objects: undefined,
    stop: new AbortController(),
    opened: Promise.withResolvers<boolean>(),
  };
}

/** Resolves when everything from `own.after` up to the start of the log was read. Rejects like `readHistory`. */
export async function readPast(
  options: PastOptions,
  own: PastReading,
  main: Pick<Segment, 'start'>,
): Promise<void> {
  // Whoever asks while it is read again waits again.
  if (own.segment) own.opened = Promise.withResolvers<boolean>();
  own.hasBegun = true;
  own.segment = undefined;
  const past = createSegment(own.after);
  const objects = createWatchedObjects(options);
  const take = takerOf(options, { past, objects, main });
  for await (const item of options.readPast(String(own.after), own.stop.signal)) {
    if (item.type === 'LISTED') {
      objects.replace(item.items);
      own.segment = past;
      own.objects = objects;
      own.opened.resolve(true);
      options.onAll();
      continue;
    }
    const version = take(item);
    const isComplete = version >= main.start;
    past.position = isComplete ? main.start : version;
    if (isComplete) return;
  }
}

interface Target {
  past: Segment;
  objects: WatchedObjects;
  main: Pick<Segment, 'start'>;
}

/** Takes a change into a segment that ends where the log begins. Returns its revision. */
function takerOf({ clock, onEntry }: PastOptions, { past, objects, main }: Target) {
  const retention = createRetention({ clock, maxBytes, maxAgeMs: Number.POSITIVE_INFINITY });
  retention.manage(past);
  return (item: Exclude<HistoryItem<EventResource>, { type: 'LISTED' }>): bigint => {
    if (item.type === 'BOOKMARK') return parseVersion(item.resourceVersion);
    const version = versionOf(item.object);
    const entry = version <= main.start && objects.take(item.type, item.object, keptForEvents(item.object));
    if (!entry) return version;
    append(past, entry);
    retention.added(entry);
    onEntry(entry.namespace);
    return version;
  };
}
