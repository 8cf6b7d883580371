import { createTally } from './tally.ts';

describe('a tally', () => {
  it('counts each key on its own, and all together', () => {
    const tally = createTally();
    tally.add('a', 2);
    tally.add('b', 5);
    tally.add('a', -1);
    expect([tally.of('a'), tally.of('b'), tally.of('c'), tally.total()]).toEqual([1, 5, 0, 6]);
  });

  it('knows the largest count, and none when everything was taken back', () => {
    const tally = createTally();
    tally.add('a', 1);
    tally.add('b', 2);
    expect(tally.largest()).toBe('b');
    tally.add('b', -2);
    expect(tally.largest()).toBe('a');
    tally.add('a', -1);
    expect(tally.largest()).toBeUndefined();
  });
});
