import fc from 'fast-check';
import { cpuTimeMs } from '../testing/cpuTime.ts';
import { growthOf, tooMuchGrowth } from '../testing/growth.ts';
import { exactNumber, parseExactly } from './exactNumber.ts';

it.each([
  ['a number that a double holds', '1.50', 1.5],
  ['another way to write it', '100e-2', 1],
  ['zero', '0.000', 0],
  ['a number that it does not hold', '12345678901234567890', '12345678901234567890'],
  ['digits that it does not hold', '0.12345678901234567890', '0.12345678901234567890'],
])('%s: %s', (_what, source, expected) => {
  expect(exactNumber(Number(source), source)).toBe(expected);
});

it.each([
  ['zeros in the middle', '1.', '0', '1'],
  ['zeros at the end', '1.', '0', ''],
  ['zeros at the beginning', '0.', '0', '1'],
  ['nines', '', '9', ''],
])('a number with a million %s is read in linear time', (_what, before, digit, after) => {
  const textOf = (length: number) => `[${before}${digit.repeat(length)}${after}]`;
  expect(growthOf((length) => () => parseExactly(textOf(length)))).toBeLessThan(tooMuchGrowth);
});

it.each([
  ['[12345678901234567890]', ['12345678901234567890']],
  ['12345678901234567890', '12345678901234567890'],
  [' -12345678901234567890 ', '-12345678901234567890'],
  [
    '{"a\\"":12345678901234567890,"b":"12345678901234567890"}',
    { 'a"': '12345678901234567890', b: '12345678901234567890' },
  ],
  ['["\\\\",12345678901234567890]', ['\\', '12345678901234567890']],
  ['{"12345678901234567890":1}', { '12345678901234567890': 1 }],
])('%s keeps its digits', (text, value) => {
  expect(parseExactly(text)).toEqual(value);
});

it.each([
  '{12345678901234567890:1}',
  '{12345678901234567890 : 1}',
  '{"a":1,12345678901234567890}',
  '[012345678901234567890]',
  '[12345678901234567890.]',
  '[1234567890123456789e]',
  '[12345678901234567890 1]',
  '[+12345678901234567890]',
  '[12345678901234567890a]',
  '["12345678901234567890]',
  '12345678901234567890,1',
])('%s is not JSON', (text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(() => parseExactly(text)).toThrow(SyntaxError);
});

it('is JSON exactly if JSON.parse says so, with the same values apart from the digits of numbers', () => {
  const digits = fc.stringMatching(/^-?[0-9]{1,25}(\.[0-9]{1,25})?(e[+-]?[0-9]{1,3})?$/);
  const pieces = fc.oneof(
    digits,
    fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', ' ', 'a', '"b":', 'null'),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (all) => {
      const text = all.join('');
      const isJson = isParsed(() => JSON.parse(text));
      expect(isParsed(() => parseExactly(text))).toBe(isJson);
    }),
    { numRuns: 20_000 },
  );
});

function isParsed(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

it('one long number among half a million short ones does not slow them down', () => {
  const text = `[12345678901234567890${',0'.repeat(500_000)}]`;
  const startMs = cpuTimeMs();
  expect(parseExactly(text)).toHaveLength(500_001);
  // Asking for each value what it is to be takes seconds.
  expect(cpuTimeMs() - startMs).toBeLessThan(500);
});
