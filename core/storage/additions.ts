import { compact } from '../lib/compact.ts';
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
  in(namespace: string): Added[];
  add(data: NewData): Taken;
  /** What was stored before a time of the cluster is in what the operator counted. */
  countedBy(namespace: string, untilMs: number): void;
  forget(namespace: string): void;
}

/** Bytes that count as the same. */
export type Added = Pick<NewData, 'kind' | 'isCached' | 'bytes'>;

interface Entry extends Pick<NewData, 'kind' | 'isCached'> {
  /** What is being stored. */
  pending: number;
  /** What was stored, by the second. */
  stored: Map<number, number>;
}

/** Seconds of which the additions are kept apart; of more, all count as the newest. */
const maxSeconds = 120;

export function createAdditions(): Additions {
  const entries = new Map<string, Map<string, Entry>>();

  function close(namespace: string): void {
    const own = entries.get(namespace);
    for (const [key, { pending, stored }] of own ?? [])
      if (pending === 0 && stored.size === 0) own?.delete(key);
    if (own?.size === 0) entries.delete(namespace);
  }

  function open({ namespace, kind, isCached }: NewData): Entry {
    const own = entries.get(namespace) ?? new Map<string, Entry>();
    const key = `${kind}/${isCached}`;
    const entry = own.get(key) ?? { pending: 0, stored: new Map(), ...compact({ kind, isCached }) };
    entries.set(namespace, own.set(key, entry));
    return entry;
  }

  return {
    namespaces: () => entries.keys(),
    in: (namespace) =>
      [...(entries.get(namespace)?.values() ?? [])].map((entry) => ({
        ...compact({ kind: entry.kind, isCached: entry.isCached }),
        bytes: sizeOf(entry),
      })),
    add(data) {
      const { namespace, bytes } = data;
      const entry = open(data);
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
