/**
 * Lets at most `perMinute` idle stops begin in any minute. More at once are the sign of a fault (a clock that
 * jumped, a field that was lost), and stopping a network loses its data.
 */
export interface StopLimit {
  isOpen(nowMs: number): boolean;
  /** Counts a stop that begins. */
  count(nowMs: number): void;
}

const minuteMs = 60_000;

export function createStopLimit(perMinute: number): StopLimit {
  let stops: number[] = [];
  return {
    isOpen(nowMs) {
      stops = stops.filter((stopMs) => nowMs - stopMs < minuteMs);
      return stops.length < perMinute;
    },
    count: (nowMs) => void stops.push(nowMs),
  };
}
