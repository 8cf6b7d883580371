/** Shares of a limited number of workers. */
export interface Turns {
  /** Does the work if the holder has not used up its share; undefined otherwise. */
  take<T>(holder: string, work: () => Promise<T>): Promise<T> | undefined;
}

/** At most `share` pieces of work at a time for each holder, so that none can occupy all workers. */
export function createTurns(share: number): Turns {
  const underWay = new Map<string, number>();
  const change = (holder: string, by: number) => {
    const count = (underWay.get(holder) ?? 0) + by;
    if (count > 0) underWay.set(holder, count);
    else underWay.delete(holder);
  };
  return {
    take(holder, work) {
      if ((underWay.get(holder) ?? 0) >= share) return undefined;
      change(holder, 1);
      return work().finally(() => change(holder, -1));
    },
  };
}
