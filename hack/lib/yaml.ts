import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type ZodType, z } from 'zod';
import { projectRoot } from './paths.ts';

/** The content of a YAML file of the checkout. Throws Error with what the schema says is wrong. */
export function readYaml<T>(file: string, schema: ZodType<T>): T {
  const { data, error } = schema.safeParse(parse(readFileSync(join(projectRoot, file), 'utf8')));
  if (error) throw new Error(`${file}: ${z.prettifyError(error)}`);
  return data;
}
