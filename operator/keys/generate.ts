import { randomBytes, randomInt } from 'node:crypto';
import { keyringFiles } from '../../core/accounts/keyring.ts';

/** The data of a core Secret: base64 by name. */
export type SecretData = Record<string, string>;

/** What a Secret still lacks, given what it has. */
export type Missing = (found: SecretData) => SecretData;

const keyBytes = 32;
const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const encode = (text: string) => Buffer.from(text).toString('base64');
const keyringOf = (keyBase64: string) => encode(`k1:${keyBase64}\n`);
const randomBase64 = () => randomBytes(keyBytes).toString('base64');
const randomText = (length: number) =>
  Array.from({ length }, () => lettersAndDigits[randomInt(lettersAndDigits.length)]).join('');

/** The keys of the installation that are missing or empty. */
export const missingKeys: Missing = (found) => {
  const fresh = () => keyringOf(randomBase64());
  // It once served all purposes: engines and chains that exist keep using it.
  const former = found['gateway-key'];
  const inherited = () => (former ? keyringOf(former) : fresh());
  return absent(found, {
    'master-keys': fresh,
    [keyringFiles.access]: fresh,
    [keyringFiles.cursors]: fresh,
    [keyringFiles.engines]: inherited,
    [keyringFiles.forks]: fresh,
    [keyringFiles.serviceAccounts]: inherited,
    'api-key-pepper': () => encode(randomBase64()),
  });
};

/** The parts of the first API key that are missing: letters and digits only, so that a token has one dot. */
export const missingBootstrapKey: Missing = (found) =>
  absent(found, {
    keyId: () => encode(`bootstrap${randomText(12).toLowerCase()}`),
    keySecret: () => encode(randomText(48)),
  });

function absent(found: SecretData, generators: Record<string, () => string>): SecretData {
  const lacking = Object.entries(generators).filter(([name]) => !found[name]);
  return Object.fromEntries(lacking.map(([name, generate]) => [name, generate()]));
}
