/** What the client takes from its surroundings, so that tests can control it. */
export interface Runtime {
  nowMs(): number;
  /** Calls `done` after `ms`; the answer cancels it. */
  after(ms: number, done: () => void): () => void;
  /** From 0 to below 1. */
  random(): number;
}

/** What timers can count to; a longer time, such as Infinity, would end at once. */
const longestMs = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  after(ms, done) {
    const timer = setTimeout(done, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/** Waits; rejects with the reason of `signal` as soon as that is aborted. */
export function sleep(runtime: Runtime, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = runtime.after(ms, () => {
      signal?.removeEventListener('abort', end);
      resolve();
    });
    signal?.addEventListener('abort', end, { once: true });
  });
}
