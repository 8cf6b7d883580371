/** The labels in a text such as `team=core, env=test`; undefined for none. */
export function labelsOf(list: string): Record<string, string> | undefined {
  const pairs = list
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => pair.split(/\s*=\s*(.*)/s, 2));
  return pairs.length > 0
    ? Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
    : undefined;
}

/** The text of labels, in order of their names. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(', ');
}
