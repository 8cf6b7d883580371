/**
 * Allows at most `perMinute` idle stops per minute. More than that indicates a fault (a clock jump, a lost field), and
 * stopping a network loses its data.
 */
export interface StopLimit {
  isOpen(nowMs: number): boolean;
  /** Records a stop. */
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
