type Work = () => Promise<unknown>;

/** The duration of `work` in milliseconds. */
async function measureMs(work: Work): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** The durations of both in milliseconds. The order alternates, so that neither side always runs second. */
export async function measureBothMs(round: number, one: Work, other: Work): Promise<[number, number]> {
  if (round % 2 === 0) return [await measureMs(one), await measureMs(other)];
  const otherMs = await measureMs(other);
  return [await measureMs(one), otherMs];
}
