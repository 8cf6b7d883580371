import type { Clock } from '../../lib/clock.ts';
import { createTally } from '../../lib/work/tally.ts';
import type { Entry, Segment } from './segment.ts';

/** Bounds the memory of all entries: the workspace with the most loses its oldest, so that a busy one costs nobody else. */
export interface Retention {
  manage(segment: Segment): void;
  /** Counts the entries of a segment no longer. */
  release(segment: Segment): void;
  added(entry: Entry): void;
  bytes(): number;
}

interface RetentionOptions {
  clock: Pick<Clock, 'nowMs'>;
  maxBytes: number;
  /** Entries older than this are dropped, too. */
  maxAgeMs: number;
}

export function createRetention({ clock, maxBytes, maxAgeMs }: RetentionOptions): Retention {
  const segments = new Set<Segment>();
  const bytes = createTally();
  let sweptMs = clock.nowMs();

  function dropFirst({ entries, lost }: Segment, namespace: string): void {
    const own = entries.get(namespace);
    const entry = own?.shift();
    if (!entry) return;
    if (own?.length === 0) entries.delete(namespace);
    lost.set(namespace, entry.revision);
    bytes.add(namespace, -entry.bytes);
  }

  /** At most once a minute, while entries arrive. */
  function dropOld(nowMs: number): void {
    if (nowMs - sweptMs < 60_000) return;
    sweptMs = nowMs;
    for (const segment of segments) {
      for (const [namespace, own] of segment.entries) {
        while (own[0] && nowMs - own[0].arrivedMs > maxAgeMs) dropFirst(segment, namespace);
      }
    }
  }

  return {
    manage: (segment) => void segments.add(segment),
    release(segment) {
      if (!segments.delete(segment)) return;
      for (const entry of [...segment.entries.values()].flat()) bytes.add(entry.namespace, -entry.bytes);
    },
    added(entry) {
      bytes.add(entry.namespace, entry.bytes);
      dropOld(entry.arrivedMs);
      while (bytes.total() > maxBytes) {
        const largest = bytes.largest() ?? '';
        const oldest = oldestOf(segments, largest);
        if (oldest) dropFirst(oldest, largest);
      }
    },
    bytes: bytes.total,
  };
}

/** The segment with the oldest entry of a namespace. */
function oldestOf(segments: Iterable<Segment>, namespace: string): Segment | undefined {
  const ageOf = ({ entries }: Segment) => entries.get(namespace)?.[0]?.arrivedMs ?? Number.POSITIVE_INFINITY;
  return [...segments].sort((one, other) => ageOf(one) - ageOf(other))[0];
}
