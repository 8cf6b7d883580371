import { isSlipwayError } from '../../../sdk/src/error.ts';

/** Why a form was refused. */
export interface FieldErrors {
  /** By the field that they are about. */
  at: Readonly<Record<string, string>>;
  /** The error itself, if it is about no field; undefined while all is well. */
  error: unknown;
}

export const noFieldErrors: FieldErrors = { at: {}, error: undefined };

/**
 * Puts every detail of an error at its field: the longest of `fields` that its path begins with. A conflict without
 * details is about the first field, because it is the name that is taken.
 */
export function errorsAt(error: unknown, fields: readonly string[]): FieldErrors {
  const [name] = fields;
  if (!isSlipwayError(error)) return { at: {}, error };
  const { details } = error;
  if (details.length === 0) {
    const isName = name !== undefined && error.reason === 'Conflict';
    return isName ? { at: { [name]: error.message }, error: undefined } : { at: {}, error };
  }
  const byLength = [...fields].sort((a, b) => b.length - a.length);
  const at: Record<string, string> = {};
  let isComplete = true;
  for (const { path, message } of details) {
    const field = byLength.find((one) => isAt(path, one));
    if (field === undefined) isComplete = false;
    else at[field] = at[field] ? `${at[field]}; ${message}` : message;
  }
  return { at, error: isComplete ? undefined : error };
}

const isAt = (path: string, field: string) =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
