import { growthOf, tooMuchGrowth } from '../testing/growth.ts';
import { createLineReader, maxLineLength } from './lines.ts';

/** The lines of a text that comes in pieces of a length. */
function linesOf(text: string, pieceLength: number, limit?: number): string[] {
  const reader = createLineReader(limit);
  const pieces = Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, at) =>
    text.slice(at * pieceLength, (at + 1) * pieceLength),
  );
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

it.each([1, 2, 3, 100])('finds the lines of a text in pieces of %i characters', (pieceLength) => {
  expect(linesOf('one\n\ntwo\nthree', pieceLength)).toEqual(['one', '', 'two', 'three']);
  expect(linesOf('one\n', pieceLength)).toEqual(['one']);
  expect(linesOf('', pieceLength)).toEqual([]);
});

it.each([1, 4, 100])('cuts a long line, and says how much of it is missing: pieces of %i', (pieceLength) => {
  expect(linesOf('abcdefgh\nabcde\nabcdefghij', pieceLength, 5)).toEqual([
    'abcd… (4 more characters)',
    'abcde',
    'abcd… (6 more characters)',
  ]);
});

it('holds only the beginning of a line that never ends', () => {
  const reader = createLineReader();
  for (let at = 0; at < 10_000; at++) expect(reader.push('x'.repeat(10_000))).toEqual([]);
  const [line] = reader.end();
  expect(line).toBe(`${'x'.repeat(maxLineLength - 1)}… (${100_000_000 - maxLineLength + 1} more characters)`);
});

it('reads a long line in small pieces in linear time', () => {
  expect(growthOf((length) => () => linesOf('x'.repeat(length), 7))).toBeLessThan(tooMuchGrowth);
});
