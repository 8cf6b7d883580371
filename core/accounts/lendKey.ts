import { addressOfPrivateKey } from './keys.ts';

/** Lends a private key for the duration of `work`; its bytes are wiped afterwards. */
export type WithKey = <T>(work: (key: Uint8Array) => Promise<T>) => Promise<T>;

/** Lends the key that `read` opens, again each time. */
export function lendKey(read: () => Buffer): WithKey {
  return async (work) => {
    const key = read();
    try {
      return await work(key);
    } finally {
      key.fill(0);
    }
  };
}

/** The address (EIP-55) of the key that `read` opens; its bytes are wiped. Throws BadRequest for an invalid key. */
export function addressOfLent(read: () => Buffer): string {
  const key = read();
  try {
    return addressOfPrivateKey(key);
  } finally {
    key.fill(0);
  }
}
