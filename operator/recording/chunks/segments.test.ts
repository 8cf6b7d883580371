import { captureOf } from '../testing/lines.ts';
import { isWhole, segmentsOf } from './segments.ts';

const textOf = (segments: string[][]) => segments.map((lines) => lines.join('\n'));

test('recordings that began with different blocks soon cut alike', () => {
  const { lines } = captureOf({ blocks: 2_000, bytes: 200 });
  const all = textOf(segmentsOf(lines));
  expect(all.length).toBeGreaterThan(4);
  for (const from of [1, 100, 700]) {
    const later = textOf(segmentsOf(lines.slice(from)));
    expect(all.slice(-later.length + 1)).toEqual(later.slice(1));
  }
});

test('lines are cut alike however they arrive', () => {
  const { lines } = captureOf({ blocks: 600, bytes: 1_000 });
  let open: string[] = [];
  const done: string[][] = [];
  for (const line of lines) {
    const segments = segmentsOf([...open, line]);
    done.push(...segments.slice(0, -1));
    open = segments.at(-1) ?? [];
  }
  expect(textOf([...done, open])).toEqual(textOf(segmentsOf(lines)));
});

test('nothing is lost or moved, and no segment of small blocks is longer than a chunk', () => {
  const { lines } = captureOf({ blocks: 1_000, bytes: 5_000 });
  const segments = segmentsOf(lines);
  expect(segments.flat()).toEqual(lines);
  expect(Math.max(...textOf(segments).map(({ length }) => length))).toBeLessThan(410_000);
});

test('a large block is a segment of its own, and nothing is added to it', () => {
  const small = captureOf({ blocks: 1, bytes: 10 });
  const large = captureOf({ blocks: 1, bytes: 200_000, first: 2 });
  const next = captureOf({ blocks: 1, bytes: 10, first: 3 });
  const lines = [...small.lines, ...large.lines, ...next.lines];
  expect(segmentsOf(lines)).toEqual([small.lines, large.lines, next.lines]);
  expect([isWhole(large.lines), isWhole([]), isWhole(lines)]).toEqual([true, false, true]);
});

test('transactions of one block are not separated', () => {
  const { lines } = captureOf({ blocks: 1, bytes: 40_000, perBlock: 9 });
  expect(segmentsOf(lines)).toEqual([lines]);
});
