import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads an add-on's manifest and replaces its `${NAMES}`. Throws when a name has no value. */
export function renderAddon(name: string, values: Record<string, string>): string {
  return fillIn(readFileSync(join(import.meta.dirname, `${name}.yaml`), 'utf8'), values);
}

/** Replaces each `${NAME}` with its value. */
export function fillIn(template: string, values: Record<string, string>): string {
  return template.replace(/\$\{([A-Z_]+)\}/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for ${name}`);
    return value;
  });
}
