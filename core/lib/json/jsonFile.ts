import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { AppError, messageOf } from '../errors.ts';

/** The value in a JSON file of the process's settings. Throws BadRequest that names the file and what is wrong with it. */
export function readJsonFile<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new AppError('BadRequest', `${path} is not usable: ${messageOf(error)}`);
  }
}
