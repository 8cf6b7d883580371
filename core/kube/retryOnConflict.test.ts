import { AppError } from '../lib/errors.ts';
import { isChangedSince, retryOnConflict } from './retryOnConflict.ts';

function failing(...errors: AppError[]) {
  const attempts: number[] = [];
  return {
    attempts,
    async work(attempt: number) {
      attempts.push(attempt);
      const error = errors.shift();
      if (error) throw error;
      return 'written';
    },
  };
}
const conflict = () => new AppError('Conflict', 'changed');

it('tries again until nobody else writes first, with a pause before each further attempt', async () => {
  const { work, attempts } = failing(conflict(), conflict());
  const pauses: number[] = [];
  const pause = async (attempt: number) => void pauses.push(attempt);
  expect(await retryOnConflict({ attempts: 3, pause }, work)).toBe('written');
  expect([attempts, pauses]).toEqual([
    [1, 2, 3],
    [1, 2],
  ]);
});

it('throws the last error after so many attempts', async () => {
  const { work, attempts } = failing(conflict(), conflict(), conflict());
  await expect(retryOnConflict({ attempts: 2 }, work)).rejects.toThrow('changed');
  expect(attempts).toEqual([1, 2]);
});

it.each([
  ['throws any other error at once', undefined, [1]],
  ['takes an object that is gone for a conflict where its caller says so', isChangedSince, [1, 2]],
])('%s', async (_, isConflict, expected) => {
  const { work, attempts } = failing(new AppError('NotFound', 'gone'));
  await retryOnConflict({ attempts: 2, ...(isConflict ? { isConflict } : {}) }, work).catch(() => undefined);
  expect(attempts).toEqual(expected);
});
