import { isObject } from './members.ts';

/** How many values a parsed value consists of; no more than `most` are counted. */
export function countValues(value: unknown, most: number): number {
  let count = 1;
  if (!isObject(value)) return count;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (count >= most) break;
    count += countValues(member, most - count);
  }
  return count;
}
