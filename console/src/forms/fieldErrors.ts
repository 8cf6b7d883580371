import { isSlipwayError, type SlipwayError } from '../../../sdk/src/error.ts';

/** Why a form was refused. */
export interface FieldErrors {
  /** By the field that they are about. */
  at: Readonly<Record<string, string>>;
  /** What no field is about, in lines. */
  rest: readonly string[];
  /** The error itself, if no field says all of it; undefined while all is well. */
  error: unknown;
}

export const noFieldErrors: FieldErrors = { at: {}, rest: [], error: undefined };

/**
 * Which field a path of the request body is about: the first name that it has or is below, or pattern that matches, with its groups
 * as $1, $2.
 */
export type FieldPlaces = readonly (readonly [RegExp | string, string])[];

/** Where the fields have the names of the API: what is below one is about it, too, and the longest name comes first. */
export function placesNamed(fields: readonly string[]): FieldPlaces {
  const byLength = [...fields].sort((a, b) => b.length - a.length);
  return byLength.map((field) => [field, field] as const);
}

/** Puts every detail of an error at its field. `taken`: the field that a conflict without details is about. */
export function errorsAt(error: unknown, places: FieldPlaces, taken?: string): FieldErrors {
  if (!isSlipwayError(error)) return { at: {}, rest: [textOf(error)], error };
  if (error.details.length > 0) return detailsAt(error, places);
  const isTaken = taken !== undefined && error.reason === 'Conflict';
  if (isTaken) return { ...noFieldErrors, at: { [taken]: error.message } };
  return { at: {}, rest: [error.message], error };
}

/** What the form says itself of its fields is said in place of what the service says of them. */
export function withOwn(errors: FieldErrors, own: Readonly<Record<string, string>>): FieldErrors {
  return { ...errors, at: { ...errors.at, ...own } };
}

function detailsAt(error: SlipwayError, places: FieldPlaces): FieldErrors {
  const at: Record<string, string> = {};
  const rest: string[] = [];
  for (const { path, message } of error.details) {
    const field = fieldOf(path, places);
    if (field === undefined) rest.push(path ? `${path}: ${message}` : message);
    else if (!at[field]) at[field] = message;
    // A request about several networks has the same detail for each of them.
    else if (!at[field].includes(message)) at[field] += `; ${message}`;
  }
  return { at, rest, error: rest.length === 0 ? undefined : error };
}

function fieldOf(path: string, places: FieldPlaces): string | undefined {
  for (const [place, field] of places) {
    if (typeof place === 'string' && isAt(path, place)) return field;
    const found = typeof place === 'string' ? undefined : place.exec(path);
    if (found) return field.replaceAll(/\$(\d)/g, (_, group) => found[Number(group)] ?? '');
  }
  return undefined;
}

const isAt = (path: string, name: string): boolean =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
