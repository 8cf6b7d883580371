import { cut, cutMark, maxForeignText } from './foreignText.ts';

it('keeps a text that fits', () => {
  expect(cut('a'.repeat(maxForeignText))).toBe('a'.repeat(maxForeignText));
});

it('cuts a longer text and marks where', () => {
  expect(cut('abcdef', 4)).toBe(`abc${cutMark}`);
  expect(cut('a'.repeat(1_000_000))).toHaveLength(maxForeignText);
});

it('cuts no character in two', () => {
  expect(cut('ab😀cd', 4)).toBe(`ab${cutMark}`);
  expect(cut('ab😀cd', 5)).toBe(`ab😀${cutMark}`);
});
