import { createHash } from 'node:crypto';

/** JSON with object keys sorted at every depth and undefined members dropped: equal values give equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member;
    return sortedMembers(member);
  });
}

/** The same object with its keys in the order of `stableJson`. */
export function sortedMembers(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** SHA-256 of a value's stable JSON, in hex (64 characters). */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(stableJson(value)).digest('hex');
}

/** The first 10 hex characters of `hashOf`: short enough for an object's name, 40 bits against collisions. */
export function shortHashOf(value: unknown): string {
  return hashOf(value).slice(0, 10);
}
