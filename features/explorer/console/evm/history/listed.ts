import type { Covered, Page } from '../../../api/history.ts';

/** The pages that were read, as one list. */
export interface Listed<T> {
  items: readonly T[];
  covered: Covered;
  /** Where the next page begins; undefined at the end. */
  cursor: string | undefined;
  /** How many pages were read. */
  pages: number;
  /** Whether the last page has entries. Older blocks may have some when it has none. */
  hasFound: boolean;
}

export interface Entry {
  block: string;
}

export function listOf<T>({ items, covered, metadata: { cursor } }: Page<T>): Listed<T> {
  return { items, covered, cursor, pages: 1, hasFound: items.length > 0 };
}

/** The list with its next page. */
export function withNext<T>(list: Listed<T>, { items, covered, metadata: { cursor } }: Page<T>): Listed<T> {
  return {
    items: [...list.items, ...items],
    covered: { ...covered, to: list.covered.to },
    cursor,
    pages: list.pages + 1,
    hasFound: items.length > 0,
  };
}

/**
 * The list with what new blocks have, by its first page of at most `limit` entries, read again. Undefined when the list does not go on
 * from there: the chain went back, or so much is new that the page does not reach what was known.
 */
export function withNewest<T extends Entry>(
  list: Listed<T>,
  { items, covered }: Page<T>,
  limit: number,
): Listed<T> | undefined {
  const known = BigInt(list.covered.to);
  const count = items.findIndex(({ block }) => BigInt(block) <= known);
  const added = count < 0 ? items : items.slice(0, count);
  const reaches = added.length < limit && BigInt(covered.from) <= known + 1n;
  if (!reaches || BigInt(covered.to) < known) return undefined;
  const expected = list.items
    .filter(({ block }) => BigInt(block) >= BigInt(covered.from))
    .slice(0, limit - added.length);
  const found = items.slice(added.length, added.length + expected.length);
  // A reorganization removes the newest entries, or changes their blocks.
  if (JSON.stringify(found) !== JSON.stringify(expected)) return undefined;
  const wider = BigInt(covered.from) <= BigInt(list.covered.from) ? covered : list.covered;
  return { ...list, items: [...added, ...list.items], covered: { ...wider, to: covered.to } };
}
