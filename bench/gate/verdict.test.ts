import { readingOf, type Verdict, verdictOf } from './verdict.ts';

const before = { ratio: 1, least: 0.95, most: 1.05 };

const cases: [string, 'atMost' | 'atLeast', number, Verdict][] = [
  ['the spread and the margin together are allowed', 'atMost', 1.19, 'same'],
  ['more than both is worse where less is better', 'atMost', 1.21, 'worse'],
  ['as much less is better there', 'atMost', 0.79, 'better'],
  ['less by more than both is worse where more is better', 'atLeast', 0.79, 'worse'],
  ['as much more is better there', 'atLeast', 1.21, 'better'],
];

it.each(cases)('%s', (_reason, is, now, verdict) => {
  expect(verdictOf({ is, before, now })).toBe(verdict);
});

it('work that was not measured before is new', () => {
  expect(verdictOf({ is: 'atMost', before: undefined, now: 9 })).toBe('new');
});

it('reads the median and the ends of several runs', () => {
  expect(readingOf([1.2, 1, 1.1])).toEqual({ ratio: 1.1, least: 1, most: 1.2 });
});
