import { checkPassphrase, decryptBackup, encryptBackup } from './encryption.ts';

const plain = Buffer.from('all keys of the installation');
const file = encryptBackup(plain, 'correct horse battery');

it('a backup opens with its passphrase', () => {
  expect(decryptBackup(file, 'correct horse battery')).toEqual(plain);
  expect(file.includes(plain)).toBe(false);
});

const changed = (at: number) => {
  const copy = Buffer.from(file);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
const weaker = Buffer.from(file.toString('latin1').replace('"N":131072', '"N":65536'), 'latin1');

it.each([
  ['another passphrase', file, 'incorrect horse battery', /is not its passphrase/],
  ['a changed cipher text', changed(file.length - 1), 'correct horse battery', /was changed/],
  ['a cheaper derivation', weaker, 'correct horse battery', /not a backup/],
  ['a file that is none', Buffer.from('{}\nabc'), 'correct horse battery', /not a backup/],
  ['an empty file', Buffer.alloc(0), 'correct horse battery', /not a backup/],
])('%s is refused', (_what, bytes, passphrase, message) => {
  expect(() => decryptBackup(bytes, passphrase)).toThrow(message);
});

it.each([
  ['no passphrase', undefined, /is not set/],
  ['one that is too short to be one', 'short', /shorter than 12/],
])(
  '%s is refused before anything is read, and the message says why it is needed',
  (_what, given, message) => {
    expect(() => checkPassphrase(given)).toThrow(message);
    expect(() => checkPassphrase(given)).toThrow(/holds the master keys/);
  },
);
