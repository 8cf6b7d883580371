import type { Clock } from '../clock.ts';

/** Lets one reader wait for news. */
export interface Bell {
  ring(): void;
  /** Resolves when the bell rang since the last wait, or after the time, or when `signal` aborts. */
  wait(timeoutMs: number): Promise<void>;
}

export function createBell(clock: Clock, signal: AbortSignal): Bell {
  let hasRung = false;
  let resume = () => {};
  const ring = () => {
    hasRung = true;
    resume();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async wait(timeoutMs) {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(timeoutMs, resolve, 'background');
          resume = () => {
            cancel();
            resolve();
          };
        });
      }
      hasRung = false;
      resume = () => {};
    },
  };
}
