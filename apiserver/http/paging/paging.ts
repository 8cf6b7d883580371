/** A page ends when the JSON of its items reaches this many bytes, whatever the limit. */
export const maxPageBytes = 1024 * 1024;
/** So many items never fit on a page, because each has an id and more: the bound for readers of lists without a limit. */
export const maxPageItems = maxPageBytes / 128;

export interface PageRequest<T> {
  /** Ascending by `keyOf`, which is unique. */
  items: readonly T[];
  keyOf(item: T): string;
  matches(item: T): boolean;
  /** Bytes are UTF-8. */
  toJson(item: T): string | Buffer;
  limit: number;
  /** Key of the last item of the previous page. */
  after?: string | undefined;
}

export interface Page<T> {
  items: T[];
  /** JSON of each item. */
  json: (string | Buffer)[];
  /** Key of the last item; only present if another matching item follows. */
  position?: string;
}

/**
 * The matching items after `after`, up to `limit` items or `maxPageBytes` of JSON, but at least one if any match.
 * Items that are added or removed between two pages do not shift the others.
 */
export function pageOf<T>(request: PageRequest<T>): Page<T> {
  const { items, keyOf, limit, after } = request;
  const page: Page<T> = { items: [], json: [] };
  let bytes = 0;
  for (let at = after === undefined ? 0 : indexAfter(request, after); at < items.length; at++) {
    const item = items[at];
    if (item === undefined || !request.matches(item)) continue;
    const last = page.items.at(-1);
    if (last !== undefined && page.items.length >= limit) return { ...page, position: keyOf(last) };
    const json = request.toJson(item);
    bytes += Buffer.byteLength(json);
    if (last !== undefined && bytes > maxPageBytes) return { ...page, position: keyOf(last) };
    page.items.push(item);
    page.json.push(json);
  }
  return page;
}

/** Index of the first item whose key is greater than `key`, by binary search. */
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
