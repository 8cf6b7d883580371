import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError, messageOf } from '../lib/errors.ts';

/** Runtime bytecode of our system contracts by contract name, 0x-hexadecimal. */
export type SystemContracts = Readonly<Record<string, string>>;

const fileSchema = z.object({ contracts: z.record(z.string(), z.string().regex(/^0x([0-9a-f]{2})+$/)) });

/** Reads what the build made of contracts/. Throws BadRequest naming the file when it is missing or malformed. */
export function loadSystemContracts(path: string): SystemContracts {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).contracts;
  } catch (error) {
    throw new AppError('BadRequest', `${path} is not usable: ${messageOf(error)}`);
  }
}
