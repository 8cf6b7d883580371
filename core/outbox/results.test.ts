import { isUndone, packResults, type Result, undone, unpackResults } from './results.ts';

const results: Result[] = [
  { state: 'mined', block: 0, gasUsed: 21_000 },
  { state: 'mined', block: 7, gasUsed: 90_000, contract: '0x00000000000000000000000000000000000000aa' },
  { state: 'failed', block: 8, gasUsed: 30_000, reason: 'reverted: "no"' },
  { state: 'dropped', reason: 'the chain was replaced' },
];

test('results come back as they were packed', () => {
  expect(unpackResults(packResults(results))).toEqual(results);
});

test('a batch that is not settled has no results', () => {
  expect(unpackResults(undefined)).toEqual([]);
});

test('a list that does not hold results is refused', () => {
  expect(() => unpackResults('[["x",1]]')).toThrow();
});

test('what was stored as undone is recognized, whichever version stored it', () => {
  const stored =
    '[["d","the node no longer has it, because the chain was rolled back or somebody removed it from the pool; it is never sent again"]]';
  expect(unpackResults(stored).map(isUndone)).toEqual([true]);
  expect([undone].map(isUndone)).toEqual([true]);
  expect(results.map(isUndone)).toEqual([false, false, false, false]);
});
