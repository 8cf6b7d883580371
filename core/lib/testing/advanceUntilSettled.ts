import type { ManualClock } from '../manualClock.ts';

/** Lets time go by until the work has settled, however it ends: whatever it waits for elapses. */
export async function advanceUntilSettled(clock: ManualClock, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    if (!isDone) clock.advance(100);
  }
}
