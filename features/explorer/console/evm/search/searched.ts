/** Which blocks to search: the newest ones up to `to`, but none before `first`. */
export interface SearchRange {
  to: bigint;
  first: bigint;
}

/** What was found in some blocks, and which they are. */
interface Found<T> {
  /** The newest first. */
  found: readonly T[];
  /** The oldest block that was searched. */
  from: bigint;
}

export interface Searched<T> extends Found<T> {
  to: bigint;
}

/** Searches as many blocks as one call may search. */
export type Search<T> = (range: SearchRange) => Promise<Found<T>>;

/** What was searched, with the blocks before it. */
export async function withEarlier<T>(
  known: Searched<T>,
  search: Search<T>,
  first: bigint,
): Promise<Searched<T>> {
  const { found, from } = await search({ to: known.from - 1n, first });
  return { ...known, from, found: [...known.found, ...found] };
}

/** What was searched, with all blocks after it up to `to`. */
export async function withLater<T>(known: Searched<T>, search: Search<T>, to: bigint): Promise<Searched<T>> {
  const later: T[] = [];
  for (let at = to; at > known.to; ) {
    const part = await search({ to: at, first: known.to + 1n });
    later.push(...part.found);
    at = part.from - 1n;
  }
  return { ...known, to, found: [...later, ...known.found] };
}
