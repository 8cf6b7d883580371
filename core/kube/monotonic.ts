/** Monotonic milliseconds: for durations that wall clock corrections must not affect. */
export type Monotonic = () => number;

export const systemMonotonic: Monotonic = () => performance.now();
