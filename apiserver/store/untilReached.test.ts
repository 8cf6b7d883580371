import { createManualClock } from '../../core/lib/manualClock.ts';
import { listedSince, untilReached } from './untilReached.ts';

/** A cache whose watch reports nothing: how often it was asked to list, and a way to complete a list. */
function aSilentCache() {
  const count = { begun: 1, complete: 1 };
  const listeners = new Set<() => void>();
  const cache = {
    refreshes: 0,
    refresh() {
      cache.refreshes += 1;
    },
    lists: () => ({ ...count }),
    onProgress(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    begin() {
      count.begun += 1;
    },
    complete() {
      count.complete = count.begun;
      for (const listener of [...listeners]) listener();
    },
  };
  return cache;
}

it('between two lists, the watch has its time, however many wait', () => {
  const [clock, cache] = [createManualClock(), aSilentCache()];
  cache.begin();
  const waits = Array.from({ length: 3 }, () => {
    clock.advance(100);
    return untilReached(cache, { clock }, () => false);
  });
  for (const wait of waits) wait?.catch(() => undefined);
  clock.advance(450);
  expect(cache.refreshes).toBe(2);
  cache.complete();
  clock.advance(499);
  expect(cache.refreshes).toBe(2);
  clock.advance(1);
  expect(cache.refreshes).toBe(5);
  clock.advance(5000);
});

it('a list that was under way does not count as one that began since', () => {
  const cache = aSilentCache();
  cache.begin();
  const isListed = listedSince(cache);
  cache.complete();
  expect(isListed()).toBe(false);
  cache.begin();
  cache.complete();
  expect(isListed()).toBe(true);
});
