import { cpuTimeMs } from './cpuTime.ts';

/** Watches for how long nobody else would be answered. */
export interface EventLoopWatch {
  /** The longest computation until now that let nothing else run, in milliseconds of CPU time. Ends the watch. */
  longestMs(): number;
}

export function watchEventLoop(): EventLoopWatch {
  let lastMs = cpuTimeMs();
  let longest = 0;
  const look = () => {
    const nowMs = cpuTimeMs();
    longest = Math.max(longest, nowMs - lastMs);
    lastMs = nowMs;
  };
  const timer = setInterval(look, 1);
  return {
    longestMs() {
      look();
      clearInterval(timer);
      return longest;
    },
  };
}
