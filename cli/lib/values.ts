/** Reading values whose shape is not known: parsed JSON and YAML, options of commands. */

export type Members = Record<string, unknown>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at `path` in dotted form, such as `status.state`. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, member) => (isMembers(inner) ? inner[member] : undefined), value);
}

/** The text at `path`; empty when there is none. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  if (typeof found === 'string') return found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
}

/** The list at `path`; empty when there is none. */
export function listAt(value: unknown, path: string): unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
}

/** The map of texts at `path`; empty when there is none. */
export function textsAt(value: unknown, path: string): Record<string, string> {
  const found = at(value, path);
  if (!isMembers(found)) return {};
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, one]) => (typeof one === 'string' ? [[name, one]] : [])),
  );
}

/** The object at `path`; empty when there is none. */
export function membersAt(value: unknown, path: string): Members {
  const found = at(value, path);
  return isMembers(found) ? found : {};
}
