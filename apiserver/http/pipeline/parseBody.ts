import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { defaultBodyLimitBytes } from '../../../core/api/operations/operation.ts';
import { detailsOf } from '../../../core/api/rules/issues.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Account } from '../limits/account.ts';
import { readJsonBody } from './body.ts';

/** Of a body with more values than this, only the first error is reported: a report of all would be far larger. */
const fullyReportedValues = 2000;

/** The body of a request as its schema has it. Throws BadRequest with an error for every invalid field. */
export async function parseBody(
  schema: z.ZodType,
  limitBytes = defaultBodyLimitBytes,
  { request, account }: { request: IncomingMessage; account: Account },
): Promise<unknown> {
  const { hold, large, limits } = account;
  const onSlow = () => limits.budgets.refused('uploadSpeed');
  const read = { limitBytes, hold, large, onSlow, clock: limits.clock };
  const { value, count } = await readJsonBody(request, read);
  const abortEarly = count > fullyReportedValues;
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly };
  const body = schema.safeParse(value, context);
  if (body.success) return body.data;
  const details = detailsOf(body.error);
  const list = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  const rest = abortEarly
    ? ' (and perhaps others: only the first error of a body this large is reported)'
    : '';
  throw new AppError('BadRequest', `the request is invalid: ${list}`.slice(0, 2000) + rest, { details });
}
