import { isSlipwayError } from '../../../../sdk/src/error.ts';

/** Where the form has what a path of the request body is about, the longest path first. */
const places: readonly [RegExp, string][] = [
  [/^(metadata\.)?name\b/, 'name'],
  [/^metadata\.labels\b/, 'labels'],
  [/^spec\.persistent\b/, 'isPersistent'],
  [/^spec\.(idleAfter|expiresAfter|from)\b/, '$1'],
  [/^spec\.chain\.type\b/, 'type'],
  [/^spec\.chain\.\w+\.privateKeyRef\b/, 'key'],
  [/^spec\.chain\.\w+\.forking\b/, 'forkBlock'],
  [/^spec\.chain\.\w+\.participants(\[\d+\])?\.(elType|clType|count)\b/, '$2'],
  [/^spec\.chain\.\w+\.participants\b/, 'hasClients'],
  [/^spec\.chain\.\w+\.networks\b/, 'members'],
  [/^spec\.chain\.\w+\.(chainID|blockTime|gasLimit|profile|plugins|accountBalance|bondAmount)\b/, '$1'],
];

/** What is wrong, by the field of the form. */
export interface FormErrors {
  fields: Readonly<Record<string, string>>;
  /** What no field is about. */
  rest: string[];
}

export const noErrors: FormErrors = { fields: {}, rest: [] };

/** Every error of the API at its field. */
export function errorsOf(error: unknown): FormErrors {
  const details = isSlipwayError(error) ? error.details : [];
  if (details.length === 0) {
    return { fields: {}, rest: [error instanceof Error ? error.message : String(error)] };
  }
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const { path, message } of details) {
    const field = fieldOf(path);
    if (field === undefined) rest.push(path ? `${path}: ${message}` : message);
    else fields[field] = fields[field] ? `${fields[field]}; ${message}` : message;
  }
  return { fields, rest };
}

function fieldOf(path: string): string | undefined {
  for (const [pattern, field] of places) {
    const found = pattern.exec(path);
    if (found) return field.replaceAll(/\$(\d)/g, (_, group) => found[Number(group)] ?? '');
  }
  return undefined;
}
