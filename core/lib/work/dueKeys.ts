import { createMinHeap } from './minHeap.ts';

/** Keys with the time at which each is due. */
export interface DueKeys {
  /** When the first key is due, or earlier; undefined if there is none. */
  firstMs(): number | undefined;
  /** Replaces the time of a key. */
  set(key: string, dueMs: number): void;
  /** Of several times of a key, the earliest counts. */
  add(key: string, dueMs: number): void;
  delete(key: string): void;
  /** Removes the keys that are due, and returns them in the order of their times. */
  take(nowMs: number): string[];
  /** Moves the times of all keys. */
  shift(byMs: number): void;
  clear(): void;
}

interface Due {
  key: string;
  dueMs: number;
}

export function createDueKeys(): DueKeys {
  const times = new Map<string, number>();
  const createHeap = () => createMinHeap<Due>(({ dueMs }) => dueMs);
  let heap = createHeap();

  function rebuild(): void {
    heap = createHeap();
    for (const [key, dueMs] of times) heap.push({ key, dueMs });
  }

  function set(key: string, dueMs: number): void {
    times.set(key, dueMs);
    heap.push({ key, dueMs });
    // Replaced entries are not searched for: they are dropped together once they outnumber the others.
    if (heap.size() > 2 * times.size + 64) rebuild();
  }

  return {
    firstMs: () => (times.size === 0 ? undefined : heap.peek()?.dueMs),
    set,
    add(key, dueMs) {
      if (dueMs < (times.get(key) ?? Number.POSITIVE_INFINITY)) set(key, dueMs);
    },
    delete: (key) => void times.delete(key),
    take(nowMs) {
      const taken: string[] = [];
      for (let first = heap.peek(); first && first.dueMs <= nowMs; first = heap.peek()) {
        heap.pop();
        if (times.get(first.key) !== first.dueMs) continue;
        times.delete(first.key);
        taken.push(first.key);
      }
      return taken;
    },
    shift(byMs) {
      for (const [key, dueMs] of times) times.set(key, dueMs + byMs);
      rebuild();
    },
    clear() {
      times.clear();
      heap = createHeap();
    },
  };
}
