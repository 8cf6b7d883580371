import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../lib/errors.ts';
import { type Keyring, type KeyringName, keyringFiles, parseKeyring } from './keyring.ts';
import { type MasterKeys, parseMasterKeys } from './seal.ts';

/** A keyring in the folder of the installation's keys. Throws BadRequest that names the file and never quotes it. */
export function readKeyring(folder: string, name: KeyringName): Keyring {
  const file = keyringFiles[name];
  return parseKeyring(readText(join(folder, file)), file);
}

/** The master keys in the same folder. Throws BadRequest likewise. */
export function readMasterKeys(folder: string): MasterKeys {
  return parseMasterKeys(readText(join(folder, 'master-keys')));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AppError('BadRequest', `cannot read ${path}: ${messageOf(error)}`);
  }
}
