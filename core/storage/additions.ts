import type { NewData } from './budget.ts';

/** Space that was reserved. */
export interface Taken {
  /** It is stored, as of a time of the cluster: the operator counts it from now on. */
  stored(atMs: number): void;
  /** It was not stored. */
  giveBack(): void;
}

/** What this process has stored since the operator counted, by namespace. */
export interface Additions {
  namespaces(): Iterable<string>;
  /** Bytes. */
  in(namespace: string): number;
  add(data: NewData): Taken;
  /** What was stored before a time of the cluster is in what the operator counted. */
  countedBy(namespace: string, untilMs: number): void;
  forget(namespace: string): void;
}

interface Entry {
  /** What is being stored. */
  pending: number;
  /** What was stored, by the second. */
  stored: Map<number, number>;
}

/** Seconds of which the additions are kept apart; of more, all count as the newest. */
const maxSeconds = 120;

export function createAdditions(): Additions {
  const entries = new Map<string, Entry>();

  function close(namespace: string, entry: Entry): void {
    const isEmpty = entry.pending === 0 && entry.stored.size === 0;
    if (isEmpty && entries.get(namespace) === entry) entries.delete(namespace);
  }

  return {
    namespaces: () => entries.keys(),
    in: (namespace) => sizeOf(entries.get(namespace)),
    add({ namespace, bytes }) {
      const entry = entries.get(namespace) ?? { pending: 0, stored: new Map() };
      entries.set(namespace, entry);
      entry.pending += bytes;
      return {
        stored(atMs) {
          entry.pending -= bytes;
          note(entry, bytes, atMs);
          close(namespace, entry);
        },
        giveBack() {
          entry.pending -= bytes;
          close(namespace, entry);
        },
      };
    },
    countedBy(namespace, untilMs) {
      const entry = entries.get(namespace);
      if (!entry) return;
      for (const second of entry.stored.keys()) if (second * 1000 <= untilMs) entry.stored.delete(second);
      close(namespace, entry);
    },
    forget: (namespace) => void entries.delete(namespace),
  };
}

function note({ stored }: Entry, bytes: number, atMs: number): void {
  if (bytes === 0) return;
  const second = Math.ceil(atMs / 1000);
  stored.set(second, (stored.get(second) ?? 0) + bytes);
  if (stored.size <= maxSeconds) return;
  const newest = Math.max(...stored.keys());
  const all = sum(stored.values());
  stored.clear();
  stored.set(newest, all);
}

function sizeOf(entry: Entry | undefined): number {
  return entry ? entry.pending + sum(entry.stored.values()) : 0;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
