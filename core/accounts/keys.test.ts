import { growthOf, tooMuchGrowth } from '../lib/testing/growth.ts';
import { addressesOfMnemonic, checkedPhrase } from './keys.ts';
import { decodeSecretData } from './secretData.ts';
import { validatorKeyOfMnemonic } from './validatorKeys.ts';

const words = `${'test '.repeat(11)}junk`;
const refused = 'does not hold a BIP-39 mnemonic';

it('reads a mnemonic with any blanks between its words', () => {
  const text = Buffer.from(` ${words.replaceAll(' ', '\r\n\t')}\n`);
  expect(checkedPhrase(text)).toBe(words);
  expect(addressesOfMnemonic(text, 1)).toEqual(['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266']);
});

it.each([
  ['of one word', 'test'],
  ['with a wrong checksum', words.replace('junk', 'test')],
  ['with letters of another script', words.replace('junk', 'jünk')],
  ['that is too long', words.padEnd(513)],
  ['of nothing', ''],
])('refuses a text %s', (_what, text) => {
  expect(() => checkedPhrase(Buffer.from(text))).toThrow(refused);
});

describe('a text of combining marks', () => {
  // Twelve words, which are normalized: that orders the marks of each letter.
  const marks = (length: number) => Buffer.from(`a${'\u0316\u0301'.repeat(length / 4)}${' a'.repeat(11)}`);

  it.each([
    ['addresses', (text: Buffer) => addressesOfMnemonic(text, 1)],
    ['a key of validators', validatorKeyOfMnemonic],
    ['data of a secret', (text: Buffer) => decodeSecretData('mnemonic', text.toString('base64'))],
  ])('takes no time where it is read for %s', (_what, read) => {
    const growth = growthOf((length) => {
      const text = marks(length);
      return () => {
        expect(() => read(text)).toThrow();
      };
    });
    expect(growth).toBeLessThan(tooMuchGrowth);
  });

  it('is not a secret of the type mnemonic', () => {
    const read = (text: string | Buffer, type = 'mnemonic') =>
      decodeSecretData(type, Buffer.from(text).toString('base64'));
    expect(() => read(marks(400))).toThrow('data is not a mnemonic, which type says it is');
    expect(() => read(words.padEnd(513))).toThrow('512 bytes at most');
    expect(read(words).toString()).toBe(words);
    expect(read(marks(400), 'note')).toHaveLength(423);
  });
});
