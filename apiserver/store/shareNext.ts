/**
 * Makes calls for the same key share work. Callers that arrive while it is in progress share the next run, because the
 * current one may have read the cluster too early for them.
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
