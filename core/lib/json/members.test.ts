import { isPlainObject, memberOf } from './members.ts';

it.each([
  ['a member', { a: 1 }, ['a'], 1],
  ['a member of a member', { a: { b: 2 } }, ['a', 'b'], 2],
  ['nothing of a text', 'text', ['length'], undefined],
  ['nothing of null', { a: null }, ['a', 'b'], undefined],
  ['nothing that every object inherits', {}, ['toString'], undefined],
])('finds %s', (_reason, value, path, expected) => {
  expect(memberOf(value, ...path)).toBe(expected);
});

it.each([
  ['an object', {}, true],
  ['no list', [], false],
  ['no null', null, false],
])('takes %s for a plain object', (_reason, value, expected) => {
  expect(isPlainObject(value)).toBe(expected);
});
