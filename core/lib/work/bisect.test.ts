import { firstNotBefore } from './bisect.ts';

test.each([
  [[0, 0], 0],
  [[0, 10], 7],
  [[7, 10], 7],
  [[8, 10], 8],
  [[0, 5], 5],
] as const)('in %j, the first that is not before 7 is %i', async (range, first) => {
  expect(await firstNotBefore(range, async (one) => one < 7)).toBe(first);
});

test('of a thousand, ten are asked for, and none twice', async () => {
  const asked: number[] = [];
  await firstNotBefore([0, 1000], async (one) => {
    asked.push(one);
    return one < 777;
  });
  expect(asked.length).toBeLessThanOrEqual(10);
  expect(new Set(asked).size).toBe(asked.length);
});
