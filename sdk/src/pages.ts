import { notOurs } from './answer.ts';
import type { RequestInput, Send } from './call.ts';

interface Page<T> {
  items: T[];
  metadata?: { cursor?: string | undefined };
}

/** The items of all pages of a list; the next page is read when its first item is asked for. */
export async function* pages<T>(
  send: Send,
  path: string,
  input: RequestInput,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? input.query : { ...input.query, cursor };
    const page = await send<Page<T>>('GET', path, { ...input, query });
    if (!Array.isArray(page?.items)) throw notOurs();
    yield* page.items;
    cursor = page.metadata?.cursor;
  } while (cursor);
}
