import { AppError } from '../../../../core/lib/errors.ts';
import { addressOf } from '../../../../core/lib/text/email.ts';

const minLocalPart = 4;
const minDifferent = 5;

/** Throws BadRequest for a password that is guessed first. Its length is checked before. */
export function checkPassword(password: string, email: string): void {
  const message = weaknessOf(password.toLowerCase(), addressOf(email));
  if (message) {
    throw new AppError('BadRequest', `password: ${message}`, { details: [{ path: 'password', message }] });
  }
}

function weaknessOf(password: string, email: string): string | undefined {
  const [local = ''] = email.split('@');
  const hasAddress = password.includes(email) || (local.length >= minLocalPart && password.includes(local));
  if (hasAddress) return 'contains your address: choose one that does not';
  const different = new Set(password).size;
  if (different < minDifferent) return `has ${different} different characters: use at least ${minDifferent}`;
  return undefined;
}
