import { isSlipwayError } from '../../../sdk/src/error.ts';

/** What is wrong, by the field of a form. */
export interface FormErrors {
  fields: Readonly<Record<string, string>>;
  /** What no field is about. */
  rest: string[];
}

export const noErrors: FormErrors = { fields: {}, rest: [] };

/** Which field a path of the request body is about: the first pattern that matches, with its groups as $1, $2. */
export type FieldPlaces = readonly (readonly [RegExp, string])[];

/** Every error of the API at its field. */
export function formErrorsOf(error: unknown, places: FieldPlaces): FormErrors {
  const details = isSlipwayError(error) ? error.details : [];
  if (details.length === 0) {
    return { fields: {}, rest: [error instanceof Error ? error.message : String(error)] };
  }
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const { path, message } of details) {
    const field = fieldOf(path, places);
    if (field === undefined) rest.push(path ? `${path}: ${message}` : message);
    else if (!fields[field]) fields[field] = message;
    else if (!fields[field].includes(message)) fields[field] += `; ${message}`;
  }
  return { fields, rest };
}

function fieldOf(path: string, places: FieldPlaces): string | undefined {
  for (const [pattern, field] of places) {
    const found = pattern.exec(path);
    if (found) return field.replaceAll(/\$(\d)/g, (_, group) => found[Number(group)] ?? '');
  }
  return undefined;
}
