import { readAnswer } from './readAnswer.ts';

const url = 'https://node.example/THE-KEY';
const answerOf = (values: number) => `{"jsonrpc":"2.0","id":1,"result":[${'{},'.repeat(values)}{}]}`;

it('an answer with so many values that it would fill the memory once parsed is refused before that', () => {
  expect(() => readAnswer(answerOf(1_000_000), url)).toThrow(
    'the answer of the fork source has more than 2000000 values',
  );
  expect(readAnswer(answerOf(10), url)).toEqual({ result: `[${'{},'.repeat(10)}{}]` });
});

it.each([
  ['a list', '[{"result":1}]'],
  ['a text', '"result"'],
  ['nothing', ''],
  ['an object with more behind it', '{"result":1}{'],
  ['an object that is not valid', '{"result":01}'],
  ['an object that does not end', '{"result":[{}'],
  ['an object without an answer', '{"id":1}'],
])('%s is not an answer', (_what, text) => {
  expect(readAnswer(text, url)).toBeUndefined();
});
