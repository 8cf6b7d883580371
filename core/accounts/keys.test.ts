import { growthOf, tooMuchGrowth } from '../lib/testing/growth.ts';
import { addressesOfMnemonic, addressOfPrivateKey, checkedPhrase } from './keys.ts';
import { warningAboutSecret } from './secretData.ts';
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
  ])('takes no time where it is read for %s', (_what, read) => {
    const growth = growthOf((length) => {
      const text = marks(length);
      return () => {
        expect(() => read(text)).toThrow();
      };
    });
    expect(growth).toBeLessThan(tooMuchGrowth);
  });

  it('is not a mnemonic, which a secret of that type is warned of', () => {
    const warning = (text: string | Buffer, type = 'mnemonic') => warningAboutSecret(type, Buffer.from(text));
    expect(warning(marks(400))).toContain('not 12 to 24 English words');
    expect(warning(words.padEnd(513))).toContain('not 12 to 24 English words');
    expect(warning(words)).toBeUndefined();
    expect(warning(marks(400), 'note')).toBeUndefined();
  });
});

it.each([
  ['hexadecimal text', Buffer.from('ab'.repeat(32))],
  ['hexadecimal text with 0x', Buffer.from(`0x${'ab'.repeat(32)}`)],
  ['hexadecimal text that was taken for base64', Buffer.from('ab'.repeat(32), 'base64')],
])('says how to store a key that was given as %s', (_what, bytes) => {
  expect(() => addressOfPrivateKey(bytes)).toThrow(/which are hexadecimal text: decode it to bytes first/);
});
