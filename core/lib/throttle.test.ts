import { createManualClock } from './manualClock.ts';
import { createThrottle } from './throttle.ts';

describe('a throttle', () => {
  it('lets each key pass once in an interval', async () => {
    const clock = createManualClock(0);
    const throttle = createThrottle(clock, 1000);
    expect([throttle.take('a'), throttle.take('a'), throttle.take('b')]).toEqual([true, false, true]);
    clock.advance(1000);
    expect(throttle.take('a')).toBe(true);
  });

  it('lets a key pass again after it gave its turn back', () => {
    const throttle = createThrottle(createManualClock(0), 1000);
    throttle.take('a');
    throttle.giveBack('a');
    expect(throttle.take('a')).toBe(true);
  });
});
