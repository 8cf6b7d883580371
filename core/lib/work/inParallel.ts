/** `work` on each item, on at most `limit` at a time. Rejects with the first failure, after which no other item begins. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = eachOf(items);
  // A loop that fails closes the generator, and so ends the others.
  const loop = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, loop));
}

function* eachOf<T>(items: Iterable<T>): Generator<T> {
  yield* items;
}
