const maxNames = 5;

/** The first names of a list, and how many more there are: `a, b, c, d, e and 3 more`. */
export function nameList(names: readonly string[]): string {
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${names.slice(0, maxNames).join(', ')}${more}`;
}
