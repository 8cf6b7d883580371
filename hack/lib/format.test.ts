import { formatDuration, lastLines, truncate } from './format.ts';

describe('formatDuration', () => {
  it.each([
    ['below a second, in milliseconds', 849.6, '850 ms'],
    ['below a minute, with a tenth', 12_340, '12.3 s'],
    ['above a minute, in whole seconds', 200_400, '3 min 20 s'],
  ])('%s', (_reason, durationMs, expected) => {
    expect(formatDuration(durationMs)).toBe(expected);
  });
});

describe('truncate', () => {
  it('leaves what fits and marks what was cut', () => {
    expect(truncate('short', 5)).toBe('short');
    expect(truncate('longer', 5)).toBe('long…');
  });
});

describe('lastLines', () => {
  it('counts from the end and ignores the final line break', () => {
    expect(lastLines('one\ntwo\nthree\n', 2)).toBe('two\nthree');
  });
});
