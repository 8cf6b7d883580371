import { createManualClock } from './manualClock.ts';
import { createRecentMap } from './recentMap.ts';

describe('a recent map', () => {
  const clock = createManualClock();
  const create = (maxEntries: number) => createRecentMap<string, number>({ maxEntries, ageMs: 1000, clock });

  it('evicts what was set longest ago when it is full', () => {
    const map = create(1);
    map.set('a', 1);
    map.set('b', 2);
    expect([map.size, map.get('a'), map.get('b')]).toEqual([1, undefined, 2]);
  });

  it('returns nothing that was set too long ago, also before another entry evicts it', () => {
    const map = create(10);
    map.set('a', 1);
    clock.advance(999);
    expect(map.get('a')).toBe(1);
    clock.advance(1);
    expect([map.get('a'), map.has('a')]).toEqual([undefined, false]);
  });

  it('evicts what was set too long ago when another entry is set', () => {
    const map = create(10);
    map.set('a', 1);
    clock.advance(600);
    map.set('b', 2);
    clock.advance(600);
    map.set('c', 3);
    expect([map.size, map.has('a'), map.get('b'), map.get('c')]).toEqual([2, false, 2, 3]);
  });

  it('counts the age of an entry that is set again from then', () => {
    const map = create(10);
    map.set('a', 1);
    clock.advance(600);
    map.set('a', 2);
    clock.advance(600);
    map.set('b', 3);
    expect([map.get('a'), map.size]).toEqual([2, 2]);
  });

  it('forgets a deleted entry', () => {
    const map = create(10);
    map.set('a', 1);
    map.delete('a');
    expect([map.has('a'), map.size]).toEqual([false, 0]);
  });
});
