/** The labels in a text such as `team=core, env=test`; undefined for none. */
export function labelsOf(list: string): Record<string, string> | undefined {
  const pairs = list
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map(nameAndValue);
  return pairs.length > 0
    ? Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
    : undefined;
}

/** Without "=", the value is missing. */
function nameAndValue(pair: string): [name: string, value: string | undefined] {
  const at = pair.indexOf('=');
  return at === -1 ? [pair, undefined] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** The text of labels, in order of their names. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(', ');
}
