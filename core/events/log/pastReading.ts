import type { HistoryItem } from '../../kube/cache/history.ts';
import { parseVersion, versionOf } from '../../kube/objects.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { EventResource } from '../objectEvent.ts';
import { keptForEvents, type ReadPast } from './readPast.ts';
import { createRetention } from './retention.ts';
import { append, createSegment, type Segment } from './segment.ts';
import { createWatchedObjects } from './watchedObjects.ts';

/** Of a longer past, the workspace with the most changes loses its oldest. */
const maxBytes = 32 * 1024 * 1024;

/** One read of the past, up to where a log begins. */
export interface PastReading {
  /** Where it begins; may be lowered until it has begun. */
  after: bigint;
  /** What can be read; undefined until the objects at its beginning are known. */
  segment(): Segment | undefined;
  hasBegun(): boolean;
  /** The revision up to which everything before it would be lost if the read fails. */
  reached(): bigint;
  stop: AbortController;
  /** Resolves when `segment` can be read from; false if it never will. */
  opened: PromiseWithResolvers<boolean>;
  /** Resolves when the past is complete. Rejects like `readHistory`. */
  read(): Promise<void>;
}

type Changed = Exclude<HistoryItem<EventResource>, { type: 'LISTED' }>;

interface PastOptions {
  readPast: ReadPast;
  clock: Clock;
  log: Log;
  onEntry(namespace: string): void;
  onAll(): void;
}

export function createPastReading(
  options: PastOptions,
  { after, main }: { after: bigint; main: Pick<Segment, 'start'> },
): PastReading {
  let segment: Segment | undefined;
  let hasBegun = false;

  const own: PastReading = {
    after,
    segment: () => segment,
    stop: new AbortController(),
    opened: Promise.withResolvers<boolean>(),
    hasBegun: () => hasBegun,
    reached: () => segment?.position ?? own.after,
    async read() {
      // Whoever asks while it is read again waits again.
      if (segment) own.opened = Promise.withResolvers<boolean>();
      [hasBegun, segment] = [true, undefined];
      const past = createSegment(own.after);
      const take = takerOf(options, past, main);
      for await (const item of options.readPast(String(own.after), own.stop.signal)) {
        if (item.type === 'LISTED') {
          take.list(item.items);
          segment = past;
          own.opened.resolve(true);
          options.onAll();
          continue;
        }
        const version = take.change(item);
        const isComplete = version >= main.start;
        past.position = isComplete ? main.start : version;
        if (isComplete) return;
      }
    },
  };
  return own;
}

/** Fills a segment up to where the log begins. */
function takerOf(options: PastOptions, past: Segment, main: Pick<Segment, 'start'>) {
  const objects = createWatchedObjects(options);
  const retention = createRetention({ clock: options.clock, maxBytes, maxAgeMs: Number.POSITIVE_INFINITY });
  retention.manage(past);
  return {
    list: objects.replace,
    /** Returns its revision. */
    change(item: Changed): bigint {
      if (item.type === 'BOOKMARK') return parseVersion(item.resourceVersion);
      const version = versionOf(item.object);
      const entry = version <= main.start && objects.take(item.type, item.object, keptForEvents(item.object));
      if (!entry) return version;
      append(past, entry);
      retention.added(entry);
      options.onEntry(entry.namespace);
      return version;
    },
  };
}
