type Work = () => Promise<unknown>;

/** The duration of `work` in milliseconds. */
export async function msOf(work: Work): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** The durations of both in milliseconds. The order alternates, so that neither side always runs second. */
export async function msOfBoth(round: number, one: Work, other: Work): Promise<[number, number]> {
  if (round % 2 === 0) return [await msOf(one), await msOf(other)];
  const otherMs = await msOf(other);
  return [await msOf(one), otherMs];
}
