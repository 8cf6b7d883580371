import { systemClock } from '../../core/lib/clock.ts';

const pauseMs = 50;

/** Repeats `ask` until `isGood` accepts its answer; throws with the last answer after `limitMs`. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isGood: (answer: T) => boolean,
  limitMs = 300_000,
): Promise<T> {
  const endMs = systemClock.nowMs() + limitMs;
  for (;;) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    if (systemClock.nowMs() > endMs) throw new Error(`not in time: ${JSON.stringify(answer)?.slice(0, 500)}`);
    await systemClock.sleep(pauseMs);
  }
}
