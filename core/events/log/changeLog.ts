import type { WatchTap } from '../../kube/cache/reflector.ts';
import type { Stored } from '../../kube/kube.ts';
import { parseVersion, versionOf } from '../../kube/objects.ts';
import type { EventResource } from '../objectEvent.ts';
import { createPrefix, type PrefixOptions } from './prefix.ts';
import type { Retention } from './retention.ts';
import { append, createSegment, type Entry, type Reading, readSegment, type Segment } from './segment.ts';
import { createWatchedObjects, type WatchedObjects } from './watchedObjects.ts';

/** The changes of one kind that this process knows, from some revision on. */
export interface ChangeLog {
  tap: WatchTap<EventResource>;
  position(): bigint;
  /** The objects of a namespace at `position`. */
  objectsIn(namespace: string): Stored<EventResource>[];
  outboxes: WatchedObjects['outboxes'];
  read(namespace: string, after: bigint): Reading;
  /** Reads the past from a revision on. False if that is gone. */
  extend(after: bigint): Promise<boolean>;
  /** Where to go on when changes after a revision are gone. */
  skip(namespace: string, after: bigint): Skipped;
  /** Drops all changes, and keeps the objects. */
  forget(): void;
}

/** What is known of changes that are gone. */
export interface Skipped {
  position: bigint;
  /** The last change of each object, as far as a comparison of its versions shows it. */
  entries: readonly Entry[];
  /** Whether nothing was lost, because nothing changed. */
  isWhole: boolean;
}

interface ChangeLogOptions extends PrefixOptions {
  retention: Retention;
  /** Whether anybody reads: otherwise only the objects are kept. */
  isRead(): boolean;
}

/** A list that the watch did not lead up to: what it showed of the changes after revision `from`. */
interface Bridge {
  from: bigint;
  changed: Map<string, Entry[]>;
}

/** A log that is filled by the tap of a reflector, and backwards by what kube-apiserver remembers. */
export function createChangeLog(options: ChangeLogOptions): ChangeLog {
  const { retention, isRead } = options;
  const objects = createWatchedObjects(options);
  let main = createSegment(0n);
  /** What came before the last list, up to some revision before it. */
  let previous: Segment | undefined;
  let bridge: Bridge | undefined;
  /** The highest revision of a cluster that was restored to an older state. */
  let undone = 0n;
  const target = {
    get start() {
      return main.start;
    },
  };
  const prefix = createPrefix(options, { main: target, onComplete: (past) => prepend(options, main, past) });

  /** Begins a new segment; `before` can still be read. */
  function begin(revision: bigint, before?: Segment): void {
    for (const old of [previous, main]) if (old && old !== before) retention.release(old);
    previous = before;
    main = createSegment(revision);
    retention.manage(main);
    prefix.drop();
  }

  function relist(items: readonly Stored<EventResource>[], resourceVersion: string): void {
    const revision = parseVersion(resourceVersion);
    if (revision < main.position) undone = main.position;
    bridge = { from: main.position, changed: objects.compare(items, resourceVersion) };
    begin(revision, main);
  }

  /** Nobody reads: the log begins where it is. */
  function pass(revision: bigint): void {
    main.position = revision;
    if (!isRead()) main.start = revision;
  }

  const isPrevious = (after: bigint) =>
    previous !== undefined && after >= previous.start && after < previous.position;

  return {
    tap: {
      listed(items, resourceVersion) {
        if (main.position > 0n && isRead()) relist(items, resourceVersion);
        else {
          objects.replace(items);
          begin(parseVersion(resourceVersion));
        }
        options.onAll();
      },
      changed(type, object, kept) {
        // Before the first list, nothing says what came before.
        if (main.position === 0n) return;
        if (!isRead()) objects.note(type, kept);
        const entry = isRead() ? objects.take(type, object, kept) : undefined;
        pass(versionOf(object));
        if (!entry) return;
        append(main, entry);
        retention.added(entry);
        options.onEntry(entry.namespace);
      },
      reached: (resourceVersion) => pass(parseVersion(resourceVersion)),
    },
    position: () => main.position,
    objectsIn: objects.inNamespace,
    outboxes: objects.outboxes,
    read(namespace, after) {
      if (after > main.position && after <= undone) return 'lost';
      if (after >= main.start) return readSegment(main, namespace, after);
      const past = prefix.read(namespace, after);
      return past === 'behind' && previous && isPrevious(after)
        ? readSegment(previous, namespace, after)
        : past;
    },
    extend: async (after) => after >= main.start || isPrevious(after) || prefix.extend(after),
    skip(namespace, after) {
      const dropped = main.lost.get(namespace) ?? 0n;
      if (after >= main.start && after < dropped) return { position: dropped, entries: [], isWhole: false };
      const changed = bridge?.changed.get(namespace) ?? [];
      const isWhole = bridge !== undefined && after >= bridge.from && changed.length === 0;
      return { position: main.start, entries: changed, isWhole };
    },
    forget() {
      bridge = undefined;
      begin(main.position);
    },
  };
}

function prepend({ retention }: ChangeLogOptions, main: Segment, { start, entries, lost }: Segment): void {
  main.start = start;
  for (const [namespace, past] of entries) {
    if (main.lost.has(namespace)) continue;
    main.entries.set(namespace, [...past, ...(main.entries.get(namespace) ?? [])]);
    past.forEach(retention.added);
  }
  for (const [namespace, revision] of lost) {
    if (!main.lost.has(namespace)) main.lost.set(namespace, revision);
  }
}
