import { objectNames, wordsOf } from './words.ts';

test.each([
  ['deleteNetwork', 'delete network'],
  ['createApiKey', 'create api key'],
  ['deployERC20', 'deploy erc20'],
  ['getMe', 'get me'],
])('%s is shown as "%s"', (action, words) => {
  expect(wordsOf(action)).toBe(words);
});

const id = 'cff38967-d296-4777-84d6-7950f7f12e9a';

test('objects are shown by their names, each once; what has no name is its id', () => {
  const network = `network fc-main (${id})`;
  expect(objectNames([network, network, 'key of 0x1f', id, 'user Ada (Lovelace)'])).toEqual([
    'network fc-main',
    'key of 0x1f',
    id,
    'user Ada (Lovelace)',
  ]);
});
