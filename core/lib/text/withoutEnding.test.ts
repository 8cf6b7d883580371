import { growthOf, tooMuchGrowth } from '../testing/growth.ts';
import { withoutEnding } from './withoutEnding.ts';

it.each([
  ['https://a.example//', 'https://a.example'],
  ['https://a.example/b', 'https://a.example/b'],
  ['//', ''],
  ['', ''],
])('of %s only what is before the slashes at the end is kept', (text, expected) => {
  expect(withoutEnding(text, '/')).toBe(expected);
});

it('takes linear time', () => {
  const work = (length: number) => () => withoutEnding(`${'/'.repeat(length)}a`, '/');
  expect(growthOf(work)).toBeLessThan(tooMuchGrowth);
});
