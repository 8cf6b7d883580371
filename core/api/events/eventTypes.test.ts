import { eventTypes, isKnownPattern, matchesType } from './eventTypes.ts';

it.each([
  ['a type', 'network.created', true],
  ['a kind', 'network.*', true],
  ['everything', '*', true],
  ['another kind', 'token.*', false],
  ['a part of a type', 'network.create', false],
])('a filter by %s', (_reason, pattern, expected) => {
  expect(matchesType(pattern, 'network.created')).toBe(expected);
});

it.each(['nothing', 'nothing.*', 'net*', 'network.cre*', 'network', ''])('%p selects no type', (pattern) => {
  expect(isKnownPattern(pattern)).toBe(false);
});

it('every type is known by itself', () => {
  expect(eventTypes.filter(({ type }) => !isKnownPattern(type))).toEqual([]);
});
