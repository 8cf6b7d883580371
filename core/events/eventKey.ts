import { createHmac } from 'node:crypto';
import { currentKeyOf, type Keyring } from '../accounts/keyring.ts';

/** The key of event ids, derived from the access keys, which both processes have: both give an event the same id. */
export function eventKeyOf(accessKeys: Keyring): Buffer {
  return createHmac('sha256', currentKeyOf(accessKeys)).update('slipway/event-ids').digest();
}
