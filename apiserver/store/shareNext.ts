/**
 * Makes calls for the same key share work. Callers that come while it is under way share the next one, not this one,
 * which may have read the cluster before what they look for was there.
 */
export function shareNext<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();

  return (key) => {
    const shared = waiting.get(key);
    if (shared) return shared;
    const before: Promise<unknown> = running.get(key) ?? Promise.resolve();
    const next = before
      .catch(() => undefined)
      .then(() => {
        waiting.delete(key);
        running.set(key, next);
        return work(key);
      })
      .finally(() => {
        if (running.get(key) === next) running.delete(key);
      });
    waiting.set(key, next);
    return next;
  };
}
