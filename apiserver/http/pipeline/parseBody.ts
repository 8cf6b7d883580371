import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { defaultBodyLimitBytes } from '../../../core/api/operations/operation.ts';
import { detailsOf } from '../../../core/api/rules/issues.ts';
import { AppError, refusalWith } from '../../../core/lib/errors.ts';
import { parseUntilError } from '../../../core/lib/parseUntilError.ts';
import { parseInTurns } from '../../../core/lib/work/parseInTurns.ts';
import type { Account } from '../limits/account.ts';
import { chargeBody } from '../limits/price.ts';
import { readJsonBody } from './body.ts';

/** Of a body with more values than this, only the first error is reported: a report of all would be far larger. */
const fullyReportedValues = 2000;

/** The body of a request as its schema has it. Throws BadRequest with the invalid fields. */
export async function parseBody(
  schema: z.ZodType,
  limitBytes = defaultBodyLimitBytes,
  { request, account }: { request: IncomingMessage; account: Account },
): Promise<unknown> {
  const { hold, large, limits } = account;
  const onSlow = () => limits.budgets.refused('uploadSpeed');
  const { value, count } = await readJsonBody(request, {
    limitBytes,
    hold,
    large,
    onSlow,
    clock: limits.clock,
    onCounted: (size) => chargeBody(account.charge, size),
  });
  const isLarge = count > fullyReportedValues;
  const body = isLarge ? await parseLarge(schema, value, limitBytes) : schema.safeParse(value);
  if (body.success) return body.data;
  const refusal = refusalWith('the request is invalid', detailsOf(body.error, value));
  if (!isLarge) throw refusal;
  const rest = ' (and perhaps others: only the first error of a body this large is reported)';
  throw new AppError('BadRequest', refusal.message + rest, { details: refusal.details });
}

/** Only bodies that may be larger than usual have lists that take long. */
function parseLarge(schema: z.ZodType, value: unknown, limitBytes: number) {
  return limitBytes > defaultBodyLimitBytes ? parseInTurns(schema, value) : parseUntilError(schema, value);
}
