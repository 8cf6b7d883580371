import { formatDuration, parseDuration } from './duration.ts';

const second = 1_000;
const hour = 3_600 * second;

test.each([
  ['nothing', 0, '0 s'],
  ['less than two minutes, in seconds', 60 * second, '60 s'],
  ['parts of a second, rounded', 1_499, '1 s'],
  ['whole minutes', 120 * second, '2 min'],
  ['minutes and seconds', 150 * second, '2 min 30 s'],
  ['hours and minutes', 1.5 * hour, '1 h 30 min'],
  ['whole days, in hours', 24 * hour, '24 h'],
  ['a rounded second that completes an hour', hour - 1, '1 h'],
])('%s', (_reason, durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test.each([
  ['90s', 90 * second],
  ['30m', hour / 2],
  ['1h30m', 1.5 * hour],
  ['24h', 24 * hour],
])('%s in milliseconds', (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});
