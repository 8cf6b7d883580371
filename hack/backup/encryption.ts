import { randomBytes, scryptSync } from 'node:crypto';
import { decrypt, encrypt } from '../../core/accounts/aesGcm.ts';
import { UserError } from '../lib/run.ts';

/**
 * A backup holds every key of the installation, so it is encrypted with a passphrase: one line of JSON with the
 * parameters, then AES-256-GCM (12 bytes of nonce, the cipher text, 16 bytes of tag) under the scrypt key of the
 * passphrase (RFC 7914). The first line is authenticated as well.
 */
const cost = { N: 2 ** 17, r: 8, p: 1 };
const maxmem = 256 * 1024 * 1024;
const magic = 'slipway backup';
const minLength = 12;

export const passphraseVariable = 'BACKUP_PASSPHRASE';

/** Throws UserError unless the passphrase is long enough to be one. */
export function checkPassphrase(passphrase: string | undefined): string {
  if (passphrase !== undefined && passphrase.length >= minLength) return passphrase;
  throw new UserError(
    [
      `${passphraseVariable} is ${passphrase === undefined ? 'not set' : `shorter than ${minLength} characters`}.`,
      'A backup holds the master keys and every key of the installation, so it is encrypted with this passphrase.',
      `Set it, keep it apart from the backup, and do not lose it: ${passphraseVariable}=$(openssl rand -base64 24)`,
    ].join('\n'),
  );
}

export function encryptBackup(plain: Uint8Array, passphrase: string): Buffer {
  const salt = randomBytes(16);
  const head = Buffer.from(headOf(salt));
  return Buffer.concat([head, encrypt(keyOf(passphrase, salt), plain, { aad: head })]);
}

/** Throws UserError when the passphrase is not that of the backup, or the backup was changed. */
export function decryptBackup(file: Buffer, passphrase: string): Buffer {
  const end = file.indexOf('\n') + 1;
  const head = file.subarray(0, end);
  const salt = saltOf(head.toString());
  try {
    return decrypt(keyOf(passphrase, salt), file.subarray(end), head);
  } catch {
    throw new UserError(
      `The backup cannot be opened: ${passphraseVariable} is not its passphrase, or the file was changed.`,
    );
  }
}

function keyOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, 32, { ...cost, maxmem });
}

/** The parameters are those of this format: a changed file cannot ask for weaker or costlier ones. */
function saltOf(head: string): Buffer {
  const [, text = ''] = /"salt":"([A-Za-z0-9+/=]{1,64})"/.exec(head) ?? [];
  const salt = Buffer.from(text, 'base64');
  if (headOf(salt) === head) return salt;
  throw new UserError('The file is not a backup of Slipway, or of a newer release.');
}

function headOf(salt: Buffer): string {
  return `${JSON.stringify({ magic, ...cost, salt: salt.toString('base64') })}\n`;
}
