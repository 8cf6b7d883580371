import { systemClock } from './clock.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('a delay of more than 24 days does not end at once', () => {
  const callback = jest.fn();
  const cancel = systemClock.after(30 * 86_400_000, callback);
  jest.advanceTimersByTime(86_400_000);
  expect(callback).not.toHaveBeenCalled();
  cancel();
});
