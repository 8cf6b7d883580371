/** How many of something each key has; keys without any are forgotten. */
export interface Counts {
  of(key: string): number;
  /** Adds one. Returns a function that takes it away again, once. */
  add(key: string): () => void;
}

export function createCounts(): Counts {
  const counts = new Map<string, number>();
  const change = (key: string, by: number) => {
    const next = (counts.get(key) ?? 0) + by;
    if (next === 0) counts.delete(key);
    else counts.set(key, next);
  };
  return {
    of: (key) => counts.get(key) ?? 0,
    add(key) {
      let isThere = true;
      change(key, 1);
      return () => {
        if (isThere) change(key, -1);
        isThere = false;
      };
    },
  };
}
