type Work = () => Promise<unknown>;

/** How long `work` takes, in milliseconds. */
async function msOf(work: Work): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** The milliseconds of each in this round; in turns, so that neither is always the one that comes after. */
export async function msOfBoth(round: number, one: Work, other: Work): Promise<[number, number]> {
  if (round % 2 === 0) return [await msOf(one), await msOf(other)];
  const otherMs = await msOf(other);
  return [await msOf(one), otherMs];
}
