import { packResults, type Result, unpackResults } from './results.ts';

const results: Result[] = [
  { state: 'mined', block: 0, gasUsed: 21_000 },
  { state: 'mined', block: 7, gasUsed: 90_000, contract: '0x00000000000000000000000000000000000000aa' },
  { state: 'failed', block: 8, gasUsed: 30_000, reason: 'reverted: «no»' },
  { state: 'dropped', reason: 'the chain began anew' },
];

test('results come back as they were packed', () => {
  expect(unpackResults(packResults(results))).toEqual(results);
});

test('there are none before a batch is settled', () => {
  expect(unpackResults(undefined)).toEqual([]);
});

test('what is no list of results is not taken for one', () => {
  expect(() => unpackResults('[["x",1]]')).toThrow();
});
