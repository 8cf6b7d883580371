import type { StoredKind } from '../api/resources/records/storedBytes.ts';
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
  /** Bytes, by what they hold where that is known. */
  in(namespace: string): Added;
  add(data: NewData): Taken;
  /** What was stored before a time of the cluster is in what the operator counted. */
  countedBy(namespace: string, untilMs: number): void;
  forget(namespace: string): void;
}

/** The key of what nobody says the kind of is undefined. */
type Added = ReadonlyMap<StoredKind | undefined, number>;

interface Entry {
  /** What is being stored. */
  pending: number;
  /** What was stored, by the second. */
  stored: Map<number, number>;
}

/** Seconds of which the additions are kept apart; of more, all count as the newest. */
const maxSeconds = 120;

export function createAdditions(): Additions {
  const entries = new Map<string, Map<StoredKind | undefined, Entry>>();

  function close(namespace: string): void {
    const own = entries.get(namespace);
    for (const [kind, { pending, stored }] of own ?? [])
      if (pending === 0 && stored.size === 0) own?.delete(kind);
    if (own?.size === 0) entries.delete(namespace);
  }

  function open(namespace: string, kind: StoredKind | undefined): Entry {
    const own = entries.get(namespace) ?? new Map<StoredKind | undefined, Entry>();
    const entry = own.get(kind) ?? { pending: 0, stored: new Map() };
    entries.set(namespace, own.set(kind, entry));
    return entry;
  }

  return {
    namespaces: () => entries.keys(),
    in: (namespace) =>
      new Map([...(entries.get(namespace) ?? [])].map(([kind, entry]) => [kind, sizeOf(entry)])),
    add({ namespace, bytes, kind }) {
      const entry = open(namespace, kind);
      entry.pending += bytes;
      return {
        stored(atMs) {
          entry.pending -= bytes;
          note(entry, bytes, atMs);
          close(namespace);
        },
        giveBack() {
          entry.pending -= bytes;
          close(namespace);
        },
      };
    },
    countedBy(namespace, untilMs) {
      for (const { stored } of entries.get(namespace)?.values() ?? [])
        for (const second of stored.keys()) if (second * 1000 <= untilMs) stored.delete(second);
      close(namespace);
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

const sizeOf = ({ pending, stored }: Entry): number => pending + sum(stored.values());

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
