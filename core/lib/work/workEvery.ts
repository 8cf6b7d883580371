import type { Clock } from '../clock.ts';

interface Rhythm {
  clock: Clock;
  intervalMs: number;
  signal: AbortSignal;
}

/** Works after each interval until the signal aborts, and then one last time. Resolves when that is done. */
export async function workEvery(
  { clock, intervalMs, signal }: Rhythm,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(intervalMs, signal).catch(() => undefined);
    await work();
  }
}
