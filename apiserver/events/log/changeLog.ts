import type { EventResource } from '../../../core/events/objectEvent.ts';
import type { WatchTap } from '../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseVersion } from '../../../core/kube/objects.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import { createPrefix, type PrefixOptions } from './prefix.ts';
import type { Retention } from './retention.ts';
import { createSegment, type Entry, entriesAfter, type Reading, type Segment } from './segment.ts';

/** The changes of one kind that this process knows, from some revision on. */
export interface ChangeLog {
  tap: WatchTap<EventResource>;
  position(): bigint;
  /** The objects of a namespace at `position`. */
  objectsIn(namespace: string): Stored<EventResource>[];
  outboxes: Segment['outboxes'];
  read(namespace: string, after: bigint): Reading;
  /** Reads the past from a revision on. False if that is gone. */
  extend(after: bigint): Promise<boolean>;
  stop(): void;
}

/** A log that is filled by the tap of a reflector, and backwards by what kube-apiserver remembers. */
export function createChangeLog(options: PrefixOptions & { retention: Retention }): ChangeLog {
  const { retention } = options;
  const main = createSegment(options.clock.nowMs);
  const lost = new Map<string, bigint>();
  retention.manage({ segment: main, lost });
  const prefix = createPrefix(options, { main, onComplete: prepend });

  function prepend({ start, entries }: Segment): void {
    main.start = start;
    for (const [namespace, past] of entries) {
      if (lost.has(namespace)) continue;
      main.entries.set(namespace, [...past, ...(main.entries.get(namespace) ?? [])]);
      past.forEach(retention.added);
    }
  }

  return {
    tap: {
      listed(items, resourceVersion) {
        for (const entries of main.entries.values()) retention.removed(entries);
        lost.clear();
        main.restart(items, resourceVersion);
        prefix.drop();
      },
      changed(...change) {
        const entry = entryOf(options, main, change);
        if (!entry) return;
        main.append(entry);
        retention.added(entry);
        options.onEntry(entry.namespace);
      },
      reached(resourceVersion) {
        main.position = parseVersion(resourceVersion);
      },
    },
    position: () => main.position,
    objectsIn: main.objectsIn,
    outboxes: main.outboxes,
    read(namespace, after) {
      if (after < main.start) return prefix.read(namespace, after);
      if (after < (lost.get(namespace) ?? 0n)) return 'lost';
      return { entries: entriesAfter(main, namespace, after), position: main.position };
    },
    extend: async (after) => after >= main.start || prefix.extend(after),
    stop: prefix.drop,
  };
}

/** An object that somebody corrupted by hand has no events, and does not stop the watch. */
function entryOf(
  { log }: Pick<PrefixOptions, 'log'>,
  segment: Segment,
  change: Parameters<Segment['take']>,
): Entry | undefined {
  try {
    return segment.take(...change);
  } catch (error) {
    log.error('cannot derive events', { kind: change[1].kind, error: messageOf(error) });
    return undefined;
  }
}
