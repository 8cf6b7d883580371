import type { z } from 'zod';
import { refusalWith } from '../../../core/lib/errors.ts';

/** The address in a path, in lower case. Throws BadRequest with the reason if the schema refuses it. */
export function addressInPath(schema: z.ZodType<string>, address: string): string {
  const { error } = schema.safeParse(address);
  if (!error) return address.toLowerCase();
  const details = error.issues.map(({ message }) => ({ path: 'address', message }));
  throw refusalWith('invalid address in the path', details);
}
