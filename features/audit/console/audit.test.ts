import { wordsOf } from './words.ts';

test.each([
  ['deleteNetwork', 'delete network'],
  ['createApiKey', 'create api key'],
  ['deployERC20', 'deploy erc20'],
  ['getMe', 'get me'],
])('%s is shown as "%s"', (action, words) => {
  expect(wordsOf(action)).toBe(words);
});
