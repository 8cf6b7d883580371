import type { WatchTap } from '../../kube/cache/reflector.ts';
import type { Stored } from '../../kube/kube.ts';
import { parseVersion, versionOf } from '../../kube/objects.ts';
import type { EventResource } from '../objectEvent.ts';
import { createKeptSegments, type KeptSegments } from './keptSegments.ts';
import { createPrefix, type Prefix, type PrefixOptions } from './prefix.ts';
import type { Retention } from './retention.ts';
import { append, type Entry, type Reading, readSegment } from './segment.ts';
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
interface Skipped {
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

interface Parts {
  objects: WatchedObjects;
  kept: KeptSegments;
  prefix: Prefix;
  /** What a comparison showed of changes that no watch has told: those after revision `from`. */
  compared: { from: bigint; changed: Map<string, Entry[]> } | undefined;
  /** The highest revision that a cluster had before it was restored to an older state. */
  undone: bigint;
}

/** A log that is filled by the tap of a reflector, and backwards by what kube-apiserver remembers. */
export function createChangeLog(options: ChangeLogOptions): ChangeLog {
  const kept = createKeptSegments(options.retention);
  const { main } = kept;
  const target = {
    get start() {
      return main().start;
    },
  };
  const objects = createWatchedObjects(options);
  const prefix = createPrefix(options, {
    main: target,
    onComplete: kept.prepend,
    onLost({ position }, past) {
      // Who has read further knows more than that comparison.
      if (parts.compared && parts.compared.from >= position) return;
      parts.compared = { from: position, changed: past.compare(objects.list(), String(main().position)) };
    },
  });
  const parts: Parts = { objects, kept, prefix, compared: undefined, undone: 0n };
  return {
    tap: tapOf(options, parts),
    position: () => main().position,
    objectsIn: objects.inNamespace,
    outboxes: objects.outboxes,
    read(namespace, after) {
      if (after > main().position && after <= parts.undone) return 'lost';
      if (after >= main().start) return readSegment(main(), namespace, after);
      const past = prefix.read(namespace, after);
      const before = past === 'behind' ? kept.before(after) : undefined;
      return before ? readSegment(before, namespace, after) : past;
    },
    extend: async (after) => after >= main().start || !!kept.before(after) || prefix.extend(after),
    skip: (namespace, after) => skip(parts, namespace, after),
    forget() {
      parts.compared = undefined;
      kept.begin(main().position);
      prefix.drop();
    },
  };
}

function skip({ kept, compared }: Parts, namespace: string, after: bigint): Skipped {
  const { start, lost, entries: later } = kept.main();
  const dropped = lost.get(namespace) ?? 0n;
  if (after >= start && after < dropped) return { position: dropped, entries: [], isWhole: false };
  const changed = compared?.changed.get(namespace) ?? [];
  const isWhole = compared !== undefined && after >= compared.from && changed.length === 0;
  const told = new Set(later.get(namespace)?.flatMap(uidsOf));
  // What the log tells after its start comes from there: a reader never gets an older state after a newer one.
  const entries = changed.filter(
    (entry) => entry.revision <= start || !uidsOf(entry).some((uid) => told.has(uid)),
  );
  return { position: start, entries, isWhole };
}

const uidsOf = ({ events }: Entry): string[] => events.map(({ resource }) => resource.metadata.uid);

function tapOf(options: ChangeLogOptions, parts: Parts): WatchTap<EventResource> {
  const { objects, kept, prefix } = parts;
  const { retention, isRead } = options;

  /** A list that no watch has led up to. */
  function relist(items: readonly Stored<EventResource>[], resourceVersion: string): void {
    const before = kept.main();
    const revision = parseVersion(resourceVersion);
    if (revision < before.position) parts.undone = before.position;
    parts.compared = { from: before.position, changed: objects.compare(items, resourceVersion) };
    kept.begin(revision, before);
  }

  function advance(revision: bigint): void {
    const main = kept.main();
    main.position = revision;
    if (!isRead()) main.start = revision;
  }

  return {
    listed(items, resourceVersion) {
      if (kept.main().position > 0n && isRead()) relist(items, resourceVersion);
      else {
        objects.replace(items);
        kept.begin(parseVersion(resourceVersion));
      }
      prefix.drop();
      options.onAll();
    },
    changed(type, object, small) {
      // Before the first list, nothing says what came before.
      if (kept.main().position === 0n) return;
      if (!isRead()) objects.note(type, small);
      const entry = isRead() ? objects.take(type, object, small) : undefined;
      advance(versionOf(object));
      if (!entry) return;
      append(kept.main(), entry);
      retention.added(entry);
      options.onEntry(entry.namespace);
    },
    reached: (resourceVersion) => advance(parseVersion(resourceVersion)),
  };
}
