import { formatDuration, lastLines, truncate } from './format.ts';

describe('formatDuration', () => {
  it.each([
    ['shows milliseconds below a second', 849.6, '850 ms'],
    ['shows tenths of a second below a minute', 12_340, '12.3 s'],
    ['shows minutes and whole seconds above a minute', 200_400, '3 min 20 s'],
  ])('%s', (_reason, durationMs, expected) => {
    expect(formatDuration(durationMs)).toBe(expected);
  });
});

describe('truncate', () => {
  it('keeps text that fits and marks text that was cut', () => {
    expect(truncate('short', 5)).toBe('short');
    expect(truncate('longer', 5)).toBe('long…');
  });
});

describe('lastLines', () => {
  it('counts from the end and ignores the final line break', () => {
    expect(lastLines('one\ntwo\nthree\n', 2)).toBe('two\nthree');
  });
});
