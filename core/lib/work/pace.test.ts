import { countTurns } from '../testing/turns.ts';
import { createPace } from './pace.ts';

it('others get a turn after so many units, and none before', async () => {
  const pace = createPace(10);
  const work = async (units: readonly number[]) => {
    for (const one of units) await pace(one);
  };
  expect(await countTurns(() => work([3, 3, 3]))).toBe(0);
  expect(await countTurns(() => work([1]))).toBe(1);
  expect(await countTurns(() => work([9, 1, 25, 9, 1]))).toBe(3);
});
