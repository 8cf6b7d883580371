/** Runs work for the same key one after the other. */
export type Exclusive = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createExclusive(): Exclusive {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const own = before.catch(() => undefined).then(work);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
