import { currentKeyOf, keyringFiles, parseKeyring } from '../../core/accounts/keyring.ts';
import { parseMasterKeys } from '../../core/accounts/seal.ts';
import { missingBootstrapKey, missingKeys, type SecretData } from './generate.ts';

const textIn = (data: SecretData, name: string) => Buffer.from(data[name] ?? '', 'base64').toString();

it('an installation gets a key of 256 random bits for each purpose, in the format that the service reads', () => {
  const keys = missingKeys({});
  expect(parseMasterKeys(textIn(keys, 'master-keys')).currentId).toBe('k1');
  for (const file of Object.values(keyringFiles)) {
    expect(currentKeyOf(parseKeyring(textIn(keys, file), file))).toHaveLength(32);
  }
  expect(Buffer.from(textIn(keys, 'api-key-pepper'), 'base64')).toHaveLength(32);
});

it('each key serves one purpose: no two are the same', () => {
  const keys = missingKeys({});
  expect(Object.keys(keys).sort()).toEqual(
    [...Object.values(keyringFiles), 'api-key-pepper', 'master-keys'].sort(),
  );
  expect(new Set(Object.values(keys)).size).toBe(Object.keys(keys).length);
});

it('keys differ between installations', () => {
  for (const missing of [missingKeys, missingBootstrapKey]) {
    const [one, other] = [missing({}), missing({})];
    for (const [name, value] of Object.entries(one)) expect(other[name]).not.toBe(value);
  }
});

it('the first API key has letters and digits only, so that the token has one dot', () => {
  const key = missingBootstrapKey({});
  expect(textIn(key, 'keyId')).toMatch(/^bootstrap[a-z0-9]{12}$/);
  expect(textIn(key, 'keySecret')).toMatch(/^[A-Za-z0-9]{48}$/);
});

it('what is there is not generated again, and what is empty is', () => {
  const { 'cursor-keys': _, ...others } = missingKeys({});
  expect(Object.keys(missingKeys({ ...others, 'fork-keys': '' }))).toEqual(['cursor-keys', 'fork-keys']);
  expect(missingKeys({ ...others, 'cursor-keys': 'YQ==' })).toEqual({});
  expect(Object.keys(missingBootstrapKey({ keyId: 'YQ==' }))).toEqual(['keySecret']);
});

it('engines and service accounts keep the former gateway-key; URLs and cursors get keys of their own', () => {
  const former = Buffer.from('the former gateway key, 32 bytes or longer');
  const keys = missingKeys({ 'gateway-key': former.toString('base64') });
  const currentIn = (file: string) => currentKeyOf(parseKeyring(textIn(keys, file), file));
  for (const file of ['engine-keys', 'service-account-keys']) expect(currentIn(file)).toEqual(former);
  for (const file of ['access-keys', 'cursor-keys']) expect(currentIn(file)).not.toEqual(former);
});
