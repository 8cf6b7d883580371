import { betterOf, failuresOf, type Reading, readingOf, type Verdict, verdictOf } from './verdict.ts';

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

it('one outlier of the former runs allows no more than a spread of 15 percent', () => {
  const spread = { ratio: 1, least: 0.98, most: 1.9 };
  expect(verdictOf({ is: 'atMost', before: spread, now: 1.24 })).toBe('same');
  expect(verdictOf({ is: 'atMost', before: spread, now: 1.26 })).toBe('worse');
});

const noNumber = null as unknown as number;

it.each<[string, Reading | undefined, number, Verdict]>([
  ['work without a stored ratio', undefined, 9, 'not stored'],
  ['a ratio that is null in JSON', before, noNumber, 'not a number'],
  ['a ratio that is NaN', before, Number.NaN, 'not a number'],
  ['an endless ratio', before, Number.POSITIVE_INFINITY, 'not a number'],
  ['a stored ratio that is null in JSON', { ...before, ratio: noNumber }, 1, 'not a number'],
  ['a stored spread that is null in JSON', { ...before, most: noNumber }, 1, 'not a number'],
])('%s is neither the same nor better', (_case, stored, now, verdict) => {
  for (const is of ['atMost', 'atLeast'] as const) {
    expect(verdictOf({ is, before: stored, now })).toBe(verdict);
  }
});

it('takes the better one of two runs, and a number rather than none', () => {
  expect([betterOf({ is: 'atMost' }, 2, 1), betterOf({ is: 'atLeast' }, 2, 1)]).toEqual([1, 2]);
  expect([betterOf({ is: 'atMost' }, 2, noNumber), betterOf({ is: 'atLeast' }, noNumber, -1)]).toEqual([
    2, -1,
  ]);
  expect(betterOf({ is: 'atMost' }, noNumber, Number.NaN)).toBeNull();
});

it('fails with a text for each row that is worse or cannot be compared', () => {
  const verdicts: Verdict[] = ['same', 'better', 'worse', 'not stored', 'not measured', 'not a number'];
  const texts = failuresOf(verdicts.map((verdict) => ({ work: `w ${verdict}`, verdict })));
  expect(texts.map((text) => text.split(':')[0])).toEqual(verdicts.slice(2).map((verdict) => `w ${verdict}`));
});

it('reads the median and the ends of several runs', () => {
  expect(readingOf([1.2, 1, 1.1])).toEqual({ ratio: 1.1, least: 1, most: 1.2 });
});

it('stores no ratio that is not a number', () => {
  expect(() => readingOf([1, Number.NaN, 1.1])).toThrow('not all ratios are numbers');
  expect(() => readingOf([1, noNumber, 1.1])).toThrow('not all ratios are numbers');
});
