import { mentionedIn, rewrite } from './addresses.ts';

const old = '5fbdb2315678afecb367f032d93f642f64180aa3';
const other = 'e7f1725e7734ce288f8367e1bb143e90bb3f0512';
const fresh = 'cf7ed3accafe1f0a2d0b7a9a1f8b0e3d0c0ffee0';
const word = (digits: string) => digits.padStart(64, '0');

const rewriteWith = (entries: Record<string, string>, data: string) =>
  rewrite(data, (digits) => entries[digits]);

test.each<[string, string, string]>([
  ['a word', `0xa9059cbb${word(old)}${word('1')}`, `0xa9059cbb${word(fresh)}${word('1')}`],
  [
    'an argument after code of odd length',
    `0x600a600c${'5b'.repeat(7)}${word(old)}`,
    `0x600a600c${'5b'.repeat(7)}${word(fresh)}`,
  ],
  ['packed data', `0x${old}000bb8${old}`, `0x${fresh}000bb8${fresh}`],
  ['digits in upper case', `0x${old.toUpperCase()}FF`, `0x${fresh}FF`],
  ['the very end', `0x00${old}`, `0x00${fresh}`],
])('replaces in %s', (_place, data, expected) => {
  expect(rewriteWith({ [old]: fresh }, data)).toBe(expected);
});

test.each<[string, string]>([
  ['between two bytes', `0x0${old}0`],
  ['that are truncated', `0x${old.slice(0, 38)}`],
  ['of another contract', `0x${word(other)}`],
  ['of empty data', '0x'],
])('keeps digits %s', (_place, data) => {
  expect(rewriteWith({ [old]: fresh }, data)).toBe(data);
});

test('swaps two addresses in one pass', () => {
  const data = `0x${word(old)}${word(other)}`;
  expect(rewriteWith({ [old]: other, [other]: old }, data)).toBe(`0x${word(other)}${word(old)}`);
});

test('keeps small numbers, which only look like addresses', () => {
  const data = `0x${word('1')}`;
  expect(rewriteWith({ [word('1').slice(24)]: fresh }, data)).toBe(data);
});

test('finds the addresses that are mentioned', () => {
  expect(mentionedIn(`0x${word(old)}${word(old)}${word(fresh)}`, new Set([old, other]))).toEqual([old]);
});
