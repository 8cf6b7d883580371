import { randomBytes, scryptSync } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { decrypt, encrypt } from '../../core/accounts/aesGcm.ts';
import { UserError } from '../lib/run.ts';
import type { Backup } from './collect.ts';

/**
 * A backup holds every key of the installation, so its file is encrypted with a passphrase: a line with the format and the
 * release, 16 random bytes, then AES-256-GCM (core/accounts/aesGcm.ts) under the scrypt key of the passphrase (RFC 7914). What comes
 * before the cipher text is the salt, and authenticated. The plain text is gzip of V8's serialization, which knows no limit of
 * length as a text of JSON does.
 */
const format = 'slipway backup 2, written by';
const randomLength = 16;
const minLength = 12;

export const passphraseVariable = 'BACKUP_PASSPHRASE';

/** Throws UserError unless the passphrase is long enough to be one. */
export function checkPassphrase(passphrase = ''): string {
  if (passphrase.length >= minLength) return passphrase;
  const lines = [
    `${passphraseVariable} must be set, to at least ${minLength} characters.`,
    'A backup holds the master keys and every key of the installation, so it is encrypted with this passphrase.',
    `Set it, keep it apart from the backup, and do not lose it: ${passphraseVariable}=$(openssl rand -base64 24)`,
  ];
  throw new UserError(lines.join('\n'));
}

/** The bytes of the file. */
export function packBackup(backup: Backup, passphrase: string): Buffer {
  const head = Buffer.concat([Buffer.from(`${format} ${backup.version}\n`), randomBytes(randomLength)]);
  const plain = gzipSync(serialize(backup));
  return Buffer.concat([head, encrypt(keyOf(passphrase, head), plain, { aad: head })]);
}

/** The inverse of `packBackup`. Throws UserError when the passphrase is not that of the backup, or the file was changed. */
export function unpackBackup(file: Buffer, passphrase: string): Backup {
  if (!file.toString('latin1', 0, format.length).startsWith(format)) {
    throw new UserError(
      'The file is not a backup of this format. Restore it with the release of Slipway that wrote it, then upgrade.',
    );
  }
  const end = file.indexOf('\n') + 1 + randomLength;
  const head = file.subarray(0, end);
  let plain: Buffer;
  try {
    plain = decrypt(keyOf(passphrase, head), file.subarray(end), head);
  } catch {
    throw new UserError(
      `The backup cannot be opened: ${passphraseVariable} is not its passphrase, or the file was changed.`,
    );
  }
  return deserialize(gunzipSync(plain));
}

function keyOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 });
}
