/** Watches for how long nobody else would be answered. */
export interface EventLoopWatch {
  /** The longest time that the event loop stood still until now, in milliseconds. Ends the watch. */
  longestMs(): number;
}

export function watchEventLoop(): EventLoopWatch {
  let lastMs = performance.now();
  let longest = 0;
  const look = () => {
    const nowMs = performance.now();
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
