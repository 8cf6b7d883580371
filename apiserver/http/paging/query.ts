import { z } from 'zod';
import { detailsOf } from '../../../core/api/rules/issues.ts';
import { type ErrorDetail, refusalWith } from '../../../core/lib/errors.ts';

const noQuery = z.strictObject({});

/**
 * The parameters of `search` (the text after "?"), validated by `schema`; without a schema, none is accepted.
 * Throws BadRequest naming the unknown, repeated and invalid parameters.
 */
export function parseQuery(search: string, schema: z.ZodObject = noQuery): Record<string, unknown> {
  const params = new URLSearchParams(search);
  const values: Record<string, string> = Object.create(null);
  const details: ErrorDetail[] = [];
  for (const [name, value] of params) {
    if (name in values) details.push({ path: name, message: 'occurs more than once: send it once' });
    values[name] = value;
  }
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(schema.shape, name));
  for (const name of unknown) {
    details.push({ path: name, message: describeKnown(Object.keys(schema.shape)) });
    delete values[name];
  }
  const parsed = schema.safeParse({ ...values });
  if (!parsed.success) details.push(...detailsOf(parsed.error));
  if (details.length > 0 || !parsed.success) throw refusalWith('the query is invalid', details);
  return parsed.data;
}

function describeKnown(names: string[]): string {
  if (names.length === 0) return 'unknown parameter: this endpoint accepts none';
  return `unknown parameter: this endpoint accepts ${names.join(', ')}`;
}
