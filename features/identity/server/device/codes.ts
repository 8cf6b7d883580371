import { hashOfSecret } from '../../../../core/accounts/credentials.ts';
import type { RandomBytes } from '../../../../core/accounts/ids.ts';
import type { IdentityDeps } from '../deps.ts';

/** Letters that make no words and look like no digits (RFC 8628, section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** A new code for people, such as BCDF-GHJK: 34 random bits. */
export function newUserCode(random: RandomBytes): string {
  const count = BigInt(letters.length);
  let rest = BigInt(`0x${random('user code', 16).toString('hex')}`);
  let code = '';
  for (let at = 0; at < length; at += 1) {
    code += letters[Number(rest % count)];
    rest /= count;
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The id of the machine that shows a code, however the code is written. It does not tell the code. */
export function deviceIdOf({ pepper }: Pick<IdentityDeps, 'pepper'>, userCode: string): string {
  const plain = userCode.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return hashOfSecret(pepper, 'userCode', plain).toString('hex').slice(0, 40);
}

export const isDeviceId = (id: string): boolean => /^[0-9a-f]{40}$/.test(id);
