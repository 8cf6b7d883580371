/** Milliseconds that only go forward: for durations that a corrected wall clock must not bend. */
export type Monotonic = () => number;

export const systemMonotonic: Monotonic = () => performance.now();
