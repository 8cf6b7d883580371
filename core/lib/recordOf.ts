/** Object.fromEntries, which keeps the type of the keys. The entries must hold every key of that type. */
export function recordOf<Key extends string, Value>(
  entries: readonly (readonly [Key, Value])[],
): Record<Key, Value> {
  return Object.fromEntries(entries) as Record<Key, Value>;
}
