import type { SubmissionRecord } from '../../core/outbox/records.ts';
import { undone } from '../../core/outbox/results.ts';
import { newestFirst, newestOf } from './records.ts';

const record: SubmissionRecord = {
  batch: 'b1',
  hash: '0xa',
  nonce: 0,
  networkId: 'n',
  incarnation: 'i',
  from: '0xf',
  acceptedAt: '2030-01-01T00:00:00Z',
  isBroadcast: false,
};
const dropped = { ...record, result: undone };

test.each([
  ['first', 'b0'],
  ['last', 'b2'],
])('of what was undone and submitted again within a second, the last counts, in order the %s', (_, batch) => {
  const again = { ...record, batch };
  for (const stored of [
    [dropped, again],
    [again, dropped],
  ]) {
    const found = newestFirst(stored);
    expect(found).toHaveLength(2);
    expect(newestOf(found)).toBe(again);
  }
});

test('one that is being archived is in two objects and counts once, as it is archived', () => {
  expect(newestFirst([record, dropped])).toEqual([dropped]);
  expect(newestFirst([dropped, record])).toEqual([dropped]);
});

test('what was dropped later than another chain mined it is dropped', () => {
  const later = { ...dropped, batch: 'b2', acceptedAt: '2030-01-01T00:00:01Z' };
  const mined: SubmissionRecord = { ...record, result: { state: 'mined', block: 1, gasUsed: 21_000 } };
  expect(newestOf(newestFirst([mined, later]))).toBe(later);
});
