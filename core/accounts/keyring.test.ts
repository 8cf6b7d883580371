import { currentKeyOf, installedIdOf, keyOf, parseKeyring } from './keyring.ts';

const line = (id: string, byte: number, length = 32) =>
  `${id}:${Buffer.alloc(length, byte).toString('base64')}`;

test('the first line is the key for new work; the others stay usable', () => {
  const ring = parseKeyring(`# newest first\n${line('k2', 2)}\n\n${line('k1', 1)}\n`, 'access-keys');
  expect(currentKeyOf(ring)).toEqual(Buffer.alloc(32, 2));
  expect(keyOf(ring, 'k1')).toEqual(Buffer.alloc(32, 1));
});

test('what was made with a key keeps it while it is installed, and takes the newest afterwards', () => {
  const ring = parseKeyring(`${line('k2', 2)}\n${line('k1', 1)}`, 'engine-keys');
  expect(['k1', 'k0', undefined].map((id) => installedIdOf(ring, id))).toEqual(['k1', 'k2', 'k2']);
  expect(() => keyOf(ring, 'k0')).toThrow('the key "k0" is not installed');
});

test('a longer key, as the former gateway key, is accepted', () => {
  expect(currentKeyOf(parseKeyring(line('k1', 1, 44), 'engine-keys'))).toHaveLength(44);
});

test.each([
  ['a key that is too short', 'k1:AAAA'],
  ['no id', line('', 1)],
  ['no key', 'k1'],
])('%s is refused with its file and line, and is not quoted', (_reason, text) => {
  expect(() => parseKeyring(`${line('k0', 0)}\n${text}`, 'cursor-keys')).toThrow(
    /^cursor-keys, line 2: expected "<id>:<base64 of 32 bytes>"$/,
  );
});
