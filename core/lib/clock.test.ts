import { systemClock, toRfc3339 } from './clock.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('a delay of more than 24 days does not end at once', () => {
  const callback = jest.fn();
  const cancel = systemClock.after(30 * 86_400_000, callback);
  jest.advanceTimersByTime(86_400_000);
  expect(callback).not.toHaveBeenCalled();
  cancel();
});

it.each([
  [0, '1970-01-01T00:00:00Z'],
  [253_402_300_799_999, '9999-12-31T23:59:59Z'],
  [253_402_300_800_000, '9999-12-31T23:59:59Z'],
  [Number.MAX_VALUE, '9999-12-31T23:59:59Z'],
])('%d ms after the epoch is %s', (ms, text) => {
  expect(toRfc3339(ms)).toBe(text);
});
