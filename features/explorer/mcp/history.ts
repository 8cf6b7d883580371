import type { Covered } from '../api/history.ts';

interface Page<T> {
  items: T[];
  covered: Covered;
  metadata: { cursor?: string | undefined };
}

interface PageQuery {
  limit: number;
  cursor?: string;
}

export interface History<T> extends Pick<Page<T>, 'items' | 'covered'> {
  /** Whether a page follows. */
  hasMore: boolean;
}

/** At most so many entries of what the index of a chain found, the newest first, over as many pages as they need. */
export async function readHistory<T>(
  read: (query: PageQuery) => Promise<Page<T>>,
  limit: number,
): Promise<History<T>> {
  const items: T[] = [];
  for (let query: PageQuery = { limit }; ; ) {
    const page = await read(query);
    items.push(...page.items);
    const { cursor } = page.metadata;
    if (cursor === undefined || items.length >= limit)
      return { covered: page.covered, items, hasMore: cursor !== undefined };
    query = { limit: limit - items.length, cursor };
  }
}
