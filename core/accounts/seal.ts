import { randomBytes } from 'node:crypto';
import { AppError, isAppError } from '../lib/errors.ts';
import { decrypt, encrypt } from './aesGcm.ts';
import { type Keyring, parseKeyring } from './keyring.ts';

/**
 * Envelope encryption of secret data.
 *
 * Sealed data is `slipway:v2:<master key id>:<wrapped data key>:<cipher text>`, the last two in base64url.
 * Both are AES-256-GCM: 12 bytes of nonce, the cipher text, 16 bytes of tag. Each seal uses a random data key,
 * wrapped by the master key; the additional authenticated data binds both to namespace, name and owner.
 * Version 1 did not bind the owner. It is still opened, and resealing replaces it.
 */
export interface Sealer {
  seal(plain: Uint8Array, location: SecretLocation): string;
  /** Throws Internal (never quoting the data) when the data was changed or moved, or its master key is missing. */
  unseal(sealed: string, location: SecretLocation): Buffer;
  /** Whether `sealed` is of the current version and under the current master key; if not, resealing has work to do. */
  isCurrent(sealed: string): boolean;
}

/** What sealed data is bound to: it cannot be opened anywhere else, or for anyone else. */
export interface SecretLocation {
  namespace: string;
  name: string;
  /** The id of the user who owns it; empty when nobody does. */
  owner: string;
}

/** The current key seals, the others only unseal. */
export type MasterKeys = Keyring;

const prefix = 'slipway:v2:';

/** Whether `data` has the format of sealed data. Base64 never contains ":", so plain data cannot look sealed. */
export function isSealed(data: string): boolean {
  return /^slipway:v[12]:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/.test(data);
}

/** Whether sealed data is bound to its owner, which version 1 is not. */
export function isBoundToOwner(sealed: string): boolean {
  return sealed.startsWith(prefix);
}

/** The id of the master key that `data` is sealed under; undefined when it is not sealed. */
export function masterKeyIdOf(data: string): string | undefined {
  return isSealed(data) ? data.slice(prefix.length).split(':', 1)[0] : undefined;
}

/**
 * Reads master keys from text in the format of a keyring, with keys of exactly 32 bytes. Throws BadRequest naming the
 * line.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const file = 'master key file';
  const keyring = parseKeyring(text, file);
  for (const [id, { length }] of keyring.keys) {
    if (length === 32) continue;
    throw new AppError('BadRequest', `${file}: the key "${id}" has ${length} bytes; a master key has 32`);
  }
  return keyring;
}

/** A sealer over `masterKeys`. */
export function createSealer(masterKeys: MasterKeys): Sealer {
  const current = masterKeys.keys.get(masterKeys.currentId);
  if (!current) throw new AppError('BadRequest', 'the current master key is not among the master keys');
  return {
    seal(plain, location) {
      const dataKey = randomBytes(32);
      const wrapped = encrypt(current, dataKey, { aad: aadOf('key', location) });
      const body = encrypt(dataKey, plain, { aad: aadOf('data', location) });
      dataKey.fill(0);
      return `${prefix}${masterKeys.currentId}:${wrapped.toString('base64url')}:${body.toString('base64url')}`;
    },
    unseal(sealed, location) {
      const [keyId = '', wrapped = '', body = ''] = sealed.slice(prefix.length).split(':');
      const masterKey = isSealed(sealed) ? masterKeys.keys.get(keyId) : undefined;
      if (!masterKey)
        throw unreadable(
          location,
          isSealed(sealed) ? `master key "${keyId}" is not installed` : 'its data is not sealed',
        );
      try {
        const aad = isBoundToOwner(sealed) ? aadOf : formerAadOf;
        const dataKey = decrypt(masterKey, Buffer.from(wrapped, 'base64url'), aad('key', location));
        return decrypt(dataKey, Buffer.from(body, 'base64url'), aad('data', location));
      } catch (error) {
        if (isAppError(error)) throw unreadable(location, error.message);
        throw unreadable(location, 'its data was changed, or sealed for another owner, namespace or name');
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${prefix}${masterKeys.currentId}:`),
  };
}

function unreadable(location: SecretLocation, reason: string): AppError {
  return new AppError('Internal', `secret "${location.name}" cannot be opened: ${reason}`);
}

function aadOf(purpose: 'key' | 'data', { namespace, name, owner }: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify(['slipway/v2', purpose, namespace, name, owner]));
}

function formerAadOf(purpose: 'key' | 'data', { namespace, name }: SecretLocation): Buffer {
  return Buffer.from(`slipway/${purpose}/${namespace}/${name}`);
}
