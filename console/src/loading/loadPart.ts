import type { Clock } from '../lib/clock.ts';

/** How long to wait before each further attempt. */
const pausesMs = [200, 1_000, 3_000];

/**
 * Loads a part of the console, and tries again when one of its files does not arrive: browsers cancel requests when the
 * network changes, and replicas are replaced. Fails with the last error.
 */
export async function loadPart<T>(load: () => Promise<T>, clock: Pick<Clock, 'after'>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await load();
    } catch {
      await new Promise<void>((done) => clock.after(pauseMs, done));
    }
  }
  return load();
}
