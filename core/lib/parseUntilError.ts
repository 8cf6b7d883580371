import type { z } from 'zod';

/**
 * What `safeParse` returns, with the first error alone: to find all errors in a text of somebody else, and to describe them, takes
 * far longer than to read it. Records are looked at to the end, so that their members must be bounded before.
 */
export function parseUntilError<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };
  return schema.safeParse(value, context);
}
