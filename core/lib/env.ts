import type { z } from 'zod';
import { AppError } from './errors.ts';

/**
 * Reads the process's settings from its environment variables.
 * `schema` defines each variable and its format. Throws BadRequest that names every missing or invalid variable.
 */
export function readEnv<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Record<string, string | undefined> = process.env,
): z.infer<z.ZodObject<Shape>> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
  }));
  const list = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ');
  throw new AppError('BadRequest', `invalid environment variables: ${list}`, { details });
}
