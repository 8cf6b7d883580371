import { createManualClock } from '../../core/lib/manualClock.ts';
import { createWorkQueue } from './queue.ts';

function setUp() {
  const clock = createManualClock();
  const queue = createWorkQueue({ clock, baseDelayMs: 100, maxDelayMs: 1_000, random: () => 1 });
  return { clock, queue };
}

describe('work queue', () => {
  it('hands out keys in the order in which they came', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.add('b');
    expect([await queue.next(), await queue.next()]).toEqual(['a', 'b']);
  });

  it('keeps a key once, however often it is added', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.add('a');
    expect(queue.depth()).toBe(1);
    expect(await queue.next()).toBe('a');
    expect(queue.depth()).toBe(0);
  });

  it('never hands out a key that is being worked on, and requeues it when it was added meanwhile', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.next();
    queue.add('a');
    expect(queue.depth()).toBe(0);
    queue.done('a');
    expect(await queue.next()).toBe('a');
  });

  it('does not requeue a key that was not added meanwhile', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.next();
    queue.done('a');
    expect(queue.depth()).toBe(0);
  });

  it('gives a key to a worker that was already waiting', async () => {
    const { queue } = setUp();
    const next = queue.next();
    queue.add('late');
    expect(await next).toBe('late');
  });

  it('adds after a delay; the earliest of several delays wins', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 500);
    queue.addAfter('a', 200);
    queue.addAfter('a', 900);
    clock.advance(199);
    expect(queue.depth()).toBe(0);
    clock.advance(1);
    expect(queue.depth()).toBe(1);
    expect(await queue.next()).toBe('a');
    queue.done('a');
    clock.advance(1_000);
    expect(queue.depth()).toBe(0);
  });

  it('hands out a key at once whose delay is over by a clock that has jumped, and keeps the new delay', async () => {
    const clock = createManualClock();
    let jumpMs = 0;
    const queue = createWorkQueue({ clock: { ...clock, nowMs: () => clock.nowMs() + jumpMs } });
    queue.addAfter('a', 900_000);
    // The machine was suspended: its timers did not count meanwhile.
    jumpMs = 3_600_000;
    queue.addAfter('a', 500);
    expect(queue.depth()).toBe(1);
    expect(await queue.next()).toBe('a');
    queue.done('a');
    clock.advance(500);
    expect(queue.depth()).toBe(1);
  });

  it('doubles the delay with each failure up to the limit, and starts over once forgotten', () => {
    const { queue } = setUp();
    expect(Array.from({ length: 6 }, () => queue.retry('a'))).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    queue.forget('a');
    expect(queue.retry('a')).toBe(100);
  });

  it('picks a random delay between half and all of its length', () => {
    const queue = createWorkQueue({ clock: createManualClock(), baseDelayMs: 100, random: () => 0 });
    expect(queue.retry('a')).toBe(50);
  });

  it('releases waiting workers when it closes, and accepts no more keys', async () => {
    const { queue, clock } = setUp();
    const next = queue.next();
    queue.addAfter('later', 10);
    queue.close();
    expect(await next).toBeUndefined();
    queue.add('a');
    clock.advance(100);
    expect(queue.depth()).toBe(0);
    expect(await queue.next()).toBeUndefined();
  });
});
