import type { Covered, Page, PageQuery } from '../api/history.ts';

export interface History<T> {
  items: T[];
  covered: Covered;
  /** Whether a page follows. */
  hasMore: boolean;
}

/**
 * At most so many entries of what the index of a chain found, the newest first, over as many pages as they need. A page that `mayEndAt`
 * allows to fail ends them.
 */
export async function readHistory<T>(
  read: (query: PageQuery) => Promise<Page<T>>,
  limit: number,
  mayEndAt: (error: unknown) => boolean = () => false,
): Promise<History<T>> {
  const first = await read({ limit });
  const items = [...first.items];
  let { covered, metadata } = first;
  while (metadata.cursor !== undefined && items.length < limit) {
    const page = await read({ limit: limit - items.length, cursor: metadata.cursor }).catch(
      (error: unknown) => {
        if (!mayEndAt(error)) throw error;
      },
    );
    if (!page) break;
    items.push(...page.items);
    // What is newer than the first page is on none.
    covered = { ...page.covered, to: first.covered.to };
    metadata = page.metadata;
  }
  return { covered, items, hasMore: metadata.cursor !== undefined };
}
