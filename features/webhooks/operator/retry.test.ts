import { askedDelayMs, retryDelayMs } from './retry.ts';

it('waits 5 s, then twice as long each time, at most an hour, with jitter down to half of it', () => {
  const most = Array.from({ length: 12 }, (_, at) => retryDelayMs(at + 1, () => 1) / 1000);
  expect(most).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
  expect(retryDelayMs(1, () => 0)).toBe(2_500);
});

const nowMs = Date.parse('2026-01-15T09:30:00Z');

it.each([
  ['seconds', 429, '120', 120_000],
  ['seconds of a 503', 503, '5', 5_000],
  ['a date', 429, 'Thu, 15 Jan 2026 09:31:00 GMT', 60_000],
  ['a date in the past', 429, 'Thu, 15 Jan 2026 09:00:00 GMT', 0],
  ['nonsense', 429, 'soon', 0],
  ['too long a time', 429, '999999', 21_600_000],
  ['another status', 500, '120', 0],
])('Retry-After with %s', (_name, status, retryAfter, expected) => {
  expect(askedDelayMs({ status, retryAfter, text: '' }, nowMs)).toBe(expected);
});
