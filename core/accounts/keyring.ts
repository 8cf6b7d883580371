import { AppError } from '../lib/errors.ts';

/** Keys for one purpose, by id. `currentId` is the key for new work; the others keep what was made with them usable. */
export interface Keyring {
  currentId: string;
  keys: ReadonlyMap<string, Buffer>;
}

/** The files of the installation's keyrings. Each serves one purpose, so that each can be rotated alone. */
export const keyringFiles = {
  /** Access keys in the URLs of networks. */
  access: 'access-keys',
  /** Cursors of lists. */
  cursors: 'cursor-keys',
  /** Keys that engines share with each other, such as node keys and JWT secrets. */
  engines: 'engine-keys',
  /** The service's own accounts on chains. */
  serviceAccounts: 'service-account-keys',
} as const;
export type KeyringName = keyof typeof keyringFiles;

const minBytes = 32;

/**
 * Reads keys from the text of a file: one `<id>:<base64 of at least 32 bytes>` per line; the first is current; `#`
 * starts a comment. Throws BadRequest naming the file and the line, never quoting it.
 */
export function parseKeyring(text: string, file: string): Keyring {
  const keys = new Map<string, Buffer>();
  for (const [index, rawLine] of text.split('\n').entries()) {
    const line = rawLine.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [id = '', encoded = ''] = line.split(':');
    const key = Buffer.from(encoded, 'base64');
    const place = `${file}, line ${index + 1}`;
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id) || key.length < minBytes) {
      throw new AppError('BadRequest', `${place}: expected "<id>:<base64 of ${minBytes} bytes>"`);
    }
    if (keys.get(id)?.equals(key) === false) {
      const remedy = 'give the new key a different id';
      throw new AppError('BadRequest', `${place}: id "${id}" is already used for another key; ${remedy}`);
    }
    keys.set(id, key);
  }
  const [currentId] = keys.keys();
  if (currentId === undefined) throw new AppError('BadRequest', `the ${file} does not contain a key`);
  return { currentId, keys };
}

/** The key for new work. */
export function currentKeyOf({ currentId, keys }: Keyring): Buffer {
  return keyOf({ currentId, keys }, currentId);
}

/** The key with this id. Throws Internal when it is not installed. */
export function keyOf({ keys }: Keyring, id: string): Buffer {
  const key = keys.get(id);
  if (!key) throw new AppError('Internal', `the key "${id}" is not installed`);
  return key;
}

/** The id if its key is installed, otherwise the id of the key for new work. */
export function installedIdOf({ currentId, keys }: Keyring, id: string | undefined): string {
  return id !== undefined && keys.has(id) ? id : currentId;
}
