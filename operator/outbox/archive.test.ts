import { toRfc3339 } from '../../core/lib/clock.ts';
import { settledBatches } from './archive.ts';

const acceptedMs = Date.UTC(2031, 0, 1);
const batch = { nonce: 0, acceptedAt: toRfc3339(acceptedMs), hashes: '', raw: [] };
const queue = { entries: [{ key: 'a', hash: '0xaa', batch }] };
const settledAt = (nowMs: number) =>
  settledBatches(queue as never, new Map([['a', { state: 'dropped', reason: 'undone' }]]) as never, nowMs)[0]
    ?.settledAt;

it.each([
  ['later', 2000, 2000],
  ['at the same time', 0, 0],
  ['earlier, by the clock of another process', -2000, 0],
])('a batch that is settled %s is settled no earlier than it was accepted', (_when, afterMs, settledMs) => {
  expect(settledAt(acceptedMs + afterMs)).toBe(toRfc3339(acceptedMs + settledMs));
});
