/** What the console takes of time, so that tests can control it. */
export interface Clock {
  nowMs(): number;
  /** Calls `done` after `ms`; the answer cancels it. */
  after(ms: number, done: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(ms, done) {
    const timer = setTimeout(done, ms);
    return () => clearTimeout(timer);
  },
};
