import { type ListQuery, maxPageSize } from '../../../core/api/operations/operation.ts';
import type { Principal } from '../auth/principal.ts';
import type { CursorScope, Cursors } from './cursor.ts';
import { maxPageItems, type Page, pageOf } from './paging.ts';
import { type Clause, formatSelector, matcherOf, parseSelector } from './selector.ts';

/** How objects of one kind are listed. */
export interface ListRequest<T> {
  kind: string;
  version: string;
  /** The operation, so that a cursor of one list is not valid for another. */
  endpoint: string;
  principal: Principal;
  query: ListQuery | undefined;
  /** Conditions in addition to the selector, from other query parameters. */
  filters?: readonly Clause[];
  selectable: readonly string[];
  /** Ascending by `keyOf`. `clauses` are those of the selector and of the filters. */
  itemsFor(clauses: readonly Clause[]): readonly T[];
  keyOf(item: T): string;
  /** The order of the items within a page, if it is not that of their keys. */
  compare?(one: T, other: T): number;
  /** A selectable field as text; undefined if the object does not have it. */
  readField(item: T, field: string): string | undefined;
  /** As text, or as cached UTF-8: encoding a page again costs more than the rest of a list. */
  toJson(item: T): string | Buffer;
}

export interface Listed<T> {
  /** The list object. */
  json: Buffer;
  items: T[];
}

/** What a list request asks for. Throws BadRequest for an invalid selector or cursor. */
function openList<T>(request: ListRequest<T>, cursors: Cursors) {
  const { query = {}, selectable, filters = [], principal, endpoint } = request;
  const selected = query.selector ? parseSelector(query.selector, selectable) : [];
  const clauses = [...selected, ...filters];
  const scope: CursorScope = {
    caller: `${principal.workspaceId}/${principal.userId}`,
    endpoint,
    filter: formatSelector(clauses),
  };
  const after = query.cursor ? cursors.open(scope, query.cursor) : undefined;
  const limit = query.limit === undefined ? maxPageItems : Math.min(query.limit, maxPageSize);
  const isMatch = matcherOf(clauses);
  const matches = (item: T) => isMatch((field) => request.readField(item, field));
  return { clauses, scope, after, limit, matches };
}

/** What of a list has to be read. */
export interface Reading<T> {
  matches(item: T): boolean;
  /** Key of the last item of the previous page. */
  after: string | undefined;
  limit: number;
}

/** A page of items that are read when it is known which: `read` returns those of the page, and more if there are. */
export async function listPageOf<T>(
  request: Omit<ListRequest<T>, 'itemsFor'> & { read(reading: Reading<T>): Promise<readonly T[]> },
  cursors: Cursors,
): Promise<Listed<T>> {
  const { after, limit, matches } = openList({ ...request, itemsFor: () => [] }, cursors);
  const items = await request.read({ after, limit, matches });
  return listPage({ ...request, itemsFor: () => items }, cursors);
}

/** One page of the selected objects, with a cursor if there are more. */
export function listPage<T>(request: ListRequest<T>, cursors: Cursors): Listed<T> {
  const { clauses, scope, after, limit, matches } = openList(request, cursors);
  const page = pageOf({
    items: request.itemsFor(clauses),
    keyOf: request.keyOf,
    toJson: request.toJson,
    matches,
    limit,
    after,
  });
  const metadata = page.position === undefined ? {} : { cursor: cursors.seal(scope, page.position) };
  const head = JSON.stringify({ kind: request.kind, version: request.version, metadata });
  return { json: withItems(head, inOrder(page, request.compare)), items: page.items };
}

function inOrder<T>({ items, json }: Page<T>, compare: ListRequest<T>['compare']): (string | Buffer)[] {
  if (!compare) return json;
  const entries = items.map((item, index) => ({ item, json: json[index] ?? '' }));
  return entries.sort((one, other) => compare(one.item, other.item)).map((entry) => entry.json);
}

/** The JSON object `head` with the additional member `items`. */
function withItems(head: string, items: (string | Buffer)[]): Buffer {
  const separated = items.flatMap((item, at) => (at === 0 ? [item] : [',', item]));
  const parts = [`${head.slice(0, -1)},"items":[`, ...separated, ']}'];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
