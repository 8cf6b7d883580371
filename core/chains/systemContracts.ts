import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError, messageOf } from '../lib/errors.ts';

/** Runtime bytecode of our system contracts by contract name, 0x-prefixed hexadecimal. */
export type SystemContracts = Readonly<Record<string, string>>;

const fileSchema = z.object({ contracts: z.record(z.string(), z.string().regex(/^0x([0-9a-f]{2})+$/)) });

/** Reads what the build compiled from contracts/. Throws BadRequest with the file's name when it is missing or malformed. */
export function loadSystemContracts(path: string): SystemContracts {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).contracts;
  } catch (error) {
    throw new AppError('BadRequest', `${path} cannot be used: ${messageOf(error)}`);
  }
}
