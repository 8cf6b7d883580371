import type { Clock } from '../../../core/lib/clock.ts';
import { createTally } from '../../../core/lib/work/tally.ts';
import type { Entry, Segment } from './segment.ts';

/** A log whose entries are kept: what was dropped of a namespace is lost up to a revision. */
export interface Retained {
  segment: Segment;
  lost: Map<string, bigint>;
}

/** Bounds the memory of all entries: the workspace with the most loses its oldest, so that a busy one costs nobody else. */
export interface Retention {
  manage(retained: Retained): void;
  added(entry: Entry): void;
  removed(entries: Iterable<Entry>): void;
  bytes(): number;
}

interface RetentionOptions {
  clock: Clock;
  maxBytes: number;
  /** Entries older than this are dropped, too. */
  maxAgeMs: number;
}

export function createRetention({ clock, maxBytes, maxAgeMs }: RetentionOptions): Retention {
  const logs: Retained[] = [];
  const bytes = createTally();
  let sweptMs = clock.nowMs();

  function dropFirst({ segment, lost }: Retained, namespace: string): void {
    const own = segment.entries.get(namespace);
    const entry = own?.shift();
    if (!entry) return;
    if (own?.length === 0) segment.entries.delete(namespace);
    lost.set(namespace, entry.revision);
    bytes.add(namespace, -entry.bytes);
  }

  /** At most once a minute, while entries arrive. */
  function dropOld(nowMs: number): void {
    if (nowMs - sweptMs < 60_000) return;
    sweptMs = nowMs;
    for (const log of logs) {
      for (const [namespace, own] of log.segment.entries) {
        while (own[0] && nowMs - own[0].arrivedMs > maxAgeMs) dropFirst(log, namespace);
      }
    }
  }

  return {
    manage: (retained) => void logs.push(retained),
    added(entry) {
      bytes.add(entry.namespace, entry.bytes);
      dropOld(entry.arrivedMs);
      while (bytes.total() > maxBytes) {
        const largest = bytes.largest() ?? '';
        const oldest = oldestOf(logs, largest);
        if (oldest) dropFirst(oldest, largest);
      }
    },
    removed(entries) {
      for (const entry of entries) bytes.add(entry.namespace, -entry.bytes);
    },
    bytes: bytes.total,
  };
}

/** The log with the oldest entry of a namespace. */
function oldestOf(logs: readonly Retained[], namespace: string): Retained | undefined {
  const ageOf = ({ segment }: Retained) =>
    segment.entries.get(namespace)?.[0]?.arrivedMs ?? Number.POSITIVE_INFINITY;
  return [...logs].sort((one, other) => ageOf(one) - ageOf(other))[0];
}
