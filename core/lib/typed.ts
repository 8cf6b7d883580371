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

/** A type that has the members of all types of a union. */
export type Intersection<Union> = [Union] extends [never]
  ? Record<never, never>
  : (Union extends unknown ? (part: Union) => void : never) extends (whole: infer Whole) => void
    ? Whole
    : never;

/** The members of all parts, no two of which have one in common. */
export function merged<Part extends object>(parts: readonly Part[]): Intersection<Part> {
  return Object.assign({}, ...parts);
}
