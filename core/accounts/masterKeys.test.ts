import { parseMasterKeys } from './seal.ts';

const line = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

test('the first line is the current key; empty lines and comments are none', () => {
  const { currentId, keys } = parseMasterKeys(`# new\n${line('k2', 2)}\n\n${line('k1', 1)}\n`);
  expect(currentId).toBe('k2');
  expect([...keys.keys()]).toEqual(['k2', 'k1']);
});

test('an id that names two keys is refused: what is sealed under one of them could not be opened', () => {
  expect(() => parseMasterKeys(`${line('k1', 1)}\n${line('k1', 2)}`)).toThrow(
    'master key file, line 2: «k1» names another key already; give the new key an id of its own',
  );
});

test('a line that is there twice is no harm', () => {
  expect(parseMasterKeys(`${line('k1', 1)}\n${line('k1', 1)}`).keys.size).toBe(1);
});

test.each([
  ['a key that is too short', 'k1:AAAA'],
  ['no id', line('', 1)],
  ['no key', 'k1'],
])('%s is refused with its line', (_reason, text) => {
  expect(() => parseMasterKeys(`${line('k0', 0)}\n${text}`)).toThrow(
    'line 2: want «<id>:<base64 of 32 bytes>»',
  );
});

test('a file without a key is refused', () => {
  expect(() => parseMasterKeys('# none\n')).toThrow('holds no key');
});
