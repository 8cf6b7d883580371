import { parseMasterKeys } from './seal.ts';

const line = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

test('the first line is the current key; empty lines and comments are skipped', () => {
  const { currentId, keys } = parseMasterKeys(`# new\n${line('k2', 2)}\n\n${line('k1', 1)}\n`);
  expect(currentId).toBe('k2');
  expect([...keys.keys()]).toEqual(['k2', 'k1']);
});

test('an id that names two different keys is refused: data sealed under one of them could not be opened', () => {
  expect(() => parseMasterKeys(`${line('k1', 1)}\n${line('k1', 2)}`)).toThrow(
    'master key file, line 2: id "k1" is already used for another key; give the new key a different id',
  );
});

test('a duplicate line is harmless', () => {
  expect(parseMasterKeys(`${line('k1', 1)}\n${line('k1', 1)}`).keys.size).toBe(1);
});

test.each([
  ['a key that is too short', 'k1:AAAA'],
  ['no id', line('', 1)],
  ['no key', 'k1'],
])('%s is refused with its line', (_reason, text) => {
  expect(() => parseMasterKeys(`${line('k0', 0)}\n${text}`)).toThrow(
    'line 2: expected "<id>:<base64 of 32 bytes>"',
  );
});

test('a file without a key is refused', () => {
  expect(() => parseMasterKeys('# none\n')).toThrow('does not contain a key');
});
