import type { EventResource } from '../../../core/events/objectEvent.ts';
import type { HistoryItem } from '../../../core/kube/cache/history.ts';
import { parseVersion, versionOf } from '../../../core/kube/objects.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { keptForEvents, type ReadPast } from './readPast.ts';
import { createSegment, type Segment } from './segment.ts';

/** A past longer than this is as good as gone. */
const maxBytes = 32 * 1024 * 1024;

/** One read of the past, up to where a log begins. */
export interface PastReading {
  /** Where it begins; may be lowered until it has begun. */
  after: bigint;
  segment: Segment;
  hasBegun(): boolean;
  /** Whether `segment` can be read from. */
  isListed(): boolean;
  /** The revision up to which everything before it would be lost if the read fails. */
  reached(): bigint;
  stop: AbortController;
  /** Resolves when `segment` can be read from; false if it never will. */
  opened: PromiseWithResolvers<boolean>;
  /** True when the past is complete, false when there is too much of it. Rejects like `readHistory`. */
  read(): Promise<boolean>;
}

type Listed = Extract<HistoryItem<EventResource>, { type: 'LISTED' }>;
type Changed = Exclude<HistoryItem<EventResource>, Listed>;

interface PastOptions {
  readPast: ReadPast;
  clock: Pick<Clock, 'nowMs'>;
  onEntry(namespace: string): void;
  onAll(): void;
}

export function createPastReading(
  options: PastOptions,
  { after, main }: { after: bigint; main: Pick<Segment, 'start'> },
): PastReading {
  const segment = createSegment(options.clock.nowMs);
  let [hasBegun, isListed, bytes] = [false, false, 0];

  function list(items: Listed['items']): void {
    segment.restart(items, String(own.after));
    [isListed, bytes] = [true, 0];
    own.opened.resolve(true);
    options.onAll();
  }

  /** Takes a change; returns its revision. */
  function change(item: Changed): bigint {
    const { version, entry } = takeChange(segment, item, main.start);
    if (!entry) return version;
    bytes += entry.bytes;
    options.onEntry(entry.namespace);
    return version;
  }

  const own: PastReading = {
    after,
    segment,
    stop: new AbortController(),
    opened: Promise.withResolvers<boolean>(),
    hasBegun: () => hasBegun,
    isListed: () => isListed,
    reached: () => (isListed ? segment.position : own.after),
    async read() {
      // Whoever asks while it is read again waits again.
      if (isListed) own.opened = Promise.withResolvers<boolean>();
      [hasBegun, isListed] = [true, false];
      for await (const item of options.readPast(String(own.after), own.stop.signal)) {
        if (item.type === 'LISTED') list(item.items);
        else {
          const version = change(item);
          if (version >= main.start) return true;
          segment.position = version;
        }
        if (bytes > maxBytes) return false;
      }
      // The server ends a watch after minutes, and it has said everything by then.
      return true;
    },
  };
  return own;
}

/** Appends a change up to revision `last`. Returns its revision, and the entry if it made one. */
function takeChange(segment: Segment, item: Changed, last: bigint) {
  if (item.type === 'BOOKMARK') return { version: parseVersion(item.resourceVersion), entry: undefined };
  const version = versionOf(item.object);
  const entry = version > last ? undefined : segment.take(item.type, item.object, keptForEvents(item.object));
  if (entry) segment.append(entry);
  return { version, entry };
}
