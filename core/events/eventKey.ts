import { createHmac } from 'node:crypto';
import type { Keyring } from '../accounts/keyring.ts';
import { AppError } from '../lib/errors.ts';

/** The key of event ids, derived from the access keys, which both processes have: both give an event the same id. */
export function eventKeyOf({ currentId, keys }: Keyring): Buffer {
  const key = keys.get(currentId);
  if (!key) throw new AppError('Internal', `the key "${currentId}" is not in its keyring`);
  return createHmac('sha256', key).update('slipway/event-ids').digest();
}
