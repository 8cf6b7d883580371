/** Which blocks to search: the newest ones up to `to`, but none before `first`. */
export interface SearchRange {
  to: bigint;
  first: bigint;
  /** Whether somebody asked for blocks before those that were searched at first. */
  isEarlier?: boolean;
}

/** What was found in some blocks, and which they are. */
export interface Found<T> {
  /** The newest first. */
  found: readonly T[];
  /** The oldest block that was searched. */
  from: bigint;
  /** Blocks that could not be read, as when they are too large. */
  skipped: number;
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
  const { found, from, skipped } = await search({ to: known.from - 1n, first, isEarlier: true });
  return { ...known, from, found: [...known.found, ...found], skipped: known.skipped + skipped };
}

/** What was searched, with all blocks after it up to `to`. */
export async function withLater<T>(known: Searched<T>, search: Search<T>, to: bigint): Promise<Searched<T>> {
  const later: T[] = [];
  let { skipped } = known;
  for (let at = to; at > known.to; ) {
    const part = await search({ to: at, first: known.to + 1n });
    later.push(...part.found);
    skipped += part.skipped;
    at = part.from - 1n;
  }
  return { ...known, to, found: [...later, ...known.found], skipped };
}
