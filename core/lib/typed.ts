/** Object.fromEntries, which keeps the type of the keys. The entries must hold every key of that type. */
export function recordOf<Key extends string, Value>(
  entries: readonly (readonly [Key, Value])[],
): Record<Key, Value> {
  return Object.fromEntries(entries) as Record<Key, Value>;
}

/** `text` in lower case, also for the compiler. */
export function lowerCase<Text extends string>(text: Text): Lowercase<Text> {
  return text.toLowerCase() as Lowercase<Text>;
}
