import { silentLog } from '../../core/lib/log.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createController, type Reconcile } from './controller.ts';
import { createWorkQueue } from './queue.ts';

function setUp(reconcile: Reconcile, workers = 2) {
  const clock = createManualClock();
  const queue = createWorkQueue({ clock, baseDelayMs: 100, random: () => 1 });
  const outcomes: string[] = [];
  const metrics = { reconciled: (outcome: 'ok' | 'error') => void outcomes.push(outcome) };
  const controller = createController({
    name: 'test',
    queue,
    reconcile,
    workers,
    clock,
    log: silentLog,
    metrics,
  });
  const stop = new AbortController();
  return { clock, queue, outcomes, stop, ended: controller.run(stop.signal) };
}

/** Runs everything that waits only for the event loop. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('controller', () => {
  it('reconciles each key that is added', async () => {
    const seen: string[] = [];
    const { queue, stop, ended, outcomes } = setUp(async (key) => {
      seen.push(key);
      return {};
    });
    queue.add('a');
    queue.add('b');
    await settle();
    stop.abort();
    await ended;
    expect(seen).toEqual(['a', 'b']);
    expect(outcomes).toEqual(['ok', 'ok']);
  });

  it('retries a key after a failure, and works on others meanwhile', async () => {
    const seen: string[] = [];
    const { queue, clock, stop, ended, outcomes } = setUp(async (key) => {
      seen.push(key);
      if (key === 'bad' && seen.filter((other) => other === 'bad').length === 1) throw new Error('no');
      return {};
    });
    queue.add('bad');
    queue.add('good');
    await settle();
    clock.advance(100);
    await settle();
    stop.abort();
    await ended;
    expect(seen).toEqual(['bad', 'good', 'bad']);
    expect(outcomes).toEqual(['error', 'ok', 'ok']);
  });

  it('reconciles again when the reconcile asked for it', async () => {
    let count = 0;
    const { queue, clock, stop, ended } = setUp(async () => {
      count += 1;
      return { requeueAfterMs: 1_000 };
    });
    queue.add('a');
    await settle();
    clock.advance(1_000);
    await settle();
    stop.abort();
    await ended;
    expect(count).toBe(2);
  });

  it('lets timers and I/O have their turn, however many keys have nothing to do', async () => {
    let count = 0;
    const { queue, stop, ended } = setUp(async () => {
      count += 1;
      return {};
    });
    for (let key = 0; key < 1_000; key += 1) queue.add(`key-${key}`);
    await settle();
    await settle();
    const inTwoTurns = count;
    stop.abort();
    await ended;
    expect(inTwoTurns).toBeLessThan(10);
  });

  it('never works on one key twice at the same time', async () => {
    let running = 0;
    let most = 0;
    const gates: (() => void)[] = [];
    const { queue, stop, ended } = setUp(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => gates.push(resolve));
      running -= 1;
      return {};
    });
    queue.add('a');
    await settle();
    queue.add('a');
    await settle();
    expect(gates).toHaveLength(1);
    gates[0]?.();
    await settle();
    expect(gates).toHaveLength(2);
    gates[1]?.();
    stop.abort();
    await ended;
    expect(most).toBe(1);
  });

  it('finishes the running reconcile before it ends', async () => {
    let release: () => void = () => undefined;
    let hasFinished = false;
    const { queue, stop, ended } = setUp(async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      hasFinished = true;
      return {};
    });
    queue.add('a');
    await settle();
    stop.abort();
    release();
    await ended;
    expect(hasFinished).toBe(true);
  });
});
