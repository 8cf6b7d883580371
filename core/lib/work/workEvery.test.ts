import { createManualClock } from '../manualClock.ts';
import { workEvery } from './workEvery.ts';

/** What follows from settled promises has happened by then. */
const settled = () => new Promise(setImmediate);

describe('work at intervals', () => {
  it('is done after each interval, and a last time when it is stopped', async () => {
    const clock = createManualClock(0);
    const stopping = new AbortController();
    const doneAtMs: number[] = [];
    const running = workEvery({ clock, intervalMs: 100, signal: stopping.signal }, async () => {
      doneAtMs.push(clock.nowMs());
    });
    for (let turn = 0; turn < 2; turn += 1) {
      clock.advance(100);
      await settled();
    }
    clock.advance(30);
    stopping.abort();
    await running;
    expect(doneAtMs).toEqual([100, 200, 230]);
  });

  it('is awaited before it ends', async () => {
    const clock = createManualClock(0);
    const stopping = new AbortController();
    const last = Promise.withResolvers<void>();
    let hasEnded = false;
    const running = workEvery({ clock, intervalMs: 100, signal: stopping.signal }, () => last.promise).then(
      () => {
        hasEnded = true;
      },
    );
    stopping.abort();
    await settled();
    expect(hasEnded).toBe(false);
    last.resolve();
    await running;
  });
});
