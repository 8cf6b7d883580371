import type { Clock } from './clock.ts';

/**
 * The outcome of `work`, or of `onLate` when `work` has not ended within `limitMs`. `work` continues in the background
 * unless `onLate` ends it; the timer never outlives the call.
 */
export async function withDeadline<T, L>(
  { clock, limitMs, onLate }: { clock: Clock; limitMs: number; onLate: () => L },
  work: Promise<T>,
): Promise<T | L> {
  const { promise: late, resolve, reject } = Promise.withResolvers<L>();
  const cancel = clock.after(limitMs, () => {
    try {
      resolve(onLate());
    } catch (error) {
      reject(error);
    }
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
