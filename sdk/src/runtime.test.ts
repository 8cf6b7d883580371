import { systemRuntime } from './runtime.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it.each([Number.POSITIVE_INFINITY, 30 * 86_400_000])('a limit of %d ms does not end at once', (ms) => {
  const done = jest.fn();
  const cancel = systemRuntime.after(ms, done);
  jest.advanceTimersByTime(86_400_000);
  expect(done).not.toHaveBeenCalled();
  cancel();
});
