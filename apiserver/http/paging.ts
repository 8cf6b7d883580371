/** A page ends when its items' JSON reaches this many bytes, whatever the limit. */
export const maxPageBytes = 1024 * 1024;

export interface PageRequest<T> {
  /** Ascending by `keyOf`, which is unique. */
  items: readonly T[];
  keyOf(item: T): string;
  matches(item: T): boolean;
  toJson(item: T): string;
  limit: number;
  /** Key of the last item of the page before. */
  after?: string | undefined;
}

export interface Page {
  /** JSON text of each item. */
  items: string[];
  /** Key of the last item; there only when an item that matches follows. */
  position?: string;
}

/**
 * The matching items after `after`, up to `limit` of them or `maxPageBytes` of JSON, but at least one if there is one.
 * Items that come or go between two pages shift none of the others.
 */
export function pageOf<T>(request: PageRequest<T>): Page {
  const { items, keyOf, limit, after } = request;
  const page: string[] = [];
  let bytes = 0;
  let last: string | undefined;
  for (let at = after === undefined ? 0 : indexAfter(request, after); at < items.length; at++) {
    const item = items[at];
    if (item === undefined || !request.matches(item)) continue;
    if (page.length >= limit) return withPosition(page, last);
    const json = request.toJson(item);
    bytes += Buffer.byteLength(json);
    if (bytes > maxPageBytes && page.length > 0) return withPosition(page, last);
    page.push(json);
    last = keyOf(item);
  }
  return { items: page };
}

function withPosition(items: string[], position: string | undefined): Page {
  return position === undefined ? { items } : { items, position };
}

/** Index of the first item whose key is above `key`, by bisection. */
function indexAfter<T>({ items, keyOf }: PageRequest<T>, key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
