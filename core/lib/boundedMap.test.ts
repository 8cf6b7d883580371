import { createBoundedMap } from './boundedMap.ts';

describe('a bounded map', () => {
  it('drops the entry that was set longest ago when it is full', () => {
    const map = createBoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, 2, 3]);
  });

  it('counts an entry that is set again as the newest', () => {
    const map = createBoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    expect([map.get('a'), map.has('b'), map.get('c')]).toEqual([3, false, 4]);
  });

  it('keeps a stored undefined apart from an absent entry', () => {
    const map = createBoundedMap<string, undefined>(1);
    map.set('a', undefined);
    expect([map.has('a'), map.has('b')]).toEqual([true, false]);
  });

  it('forgets a deleted entry', () => {
    const map = createBoundedMap<string, number>(1);
    map.set('a', 1);
    map.delete('a');
    expect(map.has('a')).toBe(false);
  });
});
