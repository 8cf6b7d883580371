import type { z } from 'zod';
import { AppError } from './errors.ts';

/**
 * Reads the process's settings from its environment variables.
 * `schema` names each variable and its form; a wrong or missing one throws BadRequest naming all of them.
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
  throw new AppError('BadRequest', `environment is not usable: ${list}`, { details });
}
