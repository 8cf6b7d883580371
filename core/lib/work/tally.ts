/** Counts by key, which are 0 until something is added. A count that is 0 again takes no memory. */
export interface Tally {
  of(key: string): number;
  /** The sum of all counts. */
  total(): number;
  /** `by` may be negative. */
  add(key: string, by: number): void;
  /** The key with the highest count; undefined when all are 0. */
  largest(): string | undefined;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  let total = 0;
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    total: () => total,
    add(key, by) {
      total += by;
      const count = of(key) + by;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
    largest() {
      const [first, ...others] = counts.keys();
      if (first === undefined) return undefined;
      return others.reduce((most, key) => (of(key) > of(most) ? key : most), first);
    },
  };
}
