import type { Keyring } from '../keyring.ts';

/** A keyring whose keys are these texts, newest first, under the ids `k1` for the last, `k2` for the one before. */
export function aKeyring(...texts: [string, ...string[]]): Keyring {
  const keys = texts.map((text, index) => [`k${texts.length - index}`, Buffer.from(text)] as const);
  return { currentId: `k${texts.length}`, keys: new Map(keys) };
}
