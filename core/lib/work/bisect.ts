/** The first number from `low` to `high` that is not before what is looked for; `high` if all are. Asks for log2 of them. */
export async function firstNotBefore(
  [low, high]: readonly [number, number],
  isBefore: (number: number) => Promise<boolean>,
): Promise<number> {
  if (low >= high) return low;
  const middle = Math.floor((low + high) / 2);
  return (await isBefore(middle))
    ? firstNotBefore([middle + 1, high], isBefore)
    : firstNotBefore([low, middle], isBefore);
}
