import { isTooLong } from './readCapped.ts';

/**
 * Asks a node about items: together, and where the answer is too long to be parsed at once, in halves, at last about each alone. The
 * answers are in the order of the items. Rejects as `ask` does.
 */
export async function inHalves<Item, Answer>(
  items: readonly Item[],
  ask: (some: readonly Item[]) => Promise<Answer[]>,
): Promise<Answer[]> {
  try {
    return await ask(items);
  } catch (error) {
    if (!isTooLong(error) || items.length <= 1) throw error;
  }
  const middle = Math.ceil(items.length / 2);
  const first = await inHalves(items.slice(0, middle), ask);
  return [...first, ...(await inHalves(items.slice(middle), ask))];
}
