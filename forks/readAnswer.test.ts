import { createTurns } from '../apiserver/http/limits/turns.ts';
import { countTurns } from '../core/lib/testing/turns.ts';
import { createReadAnswer } from './readAnswer.ts';

const url = 'https://node.example/THE-KEY-OF-THE-PROVIDER';
const turns = createTurns({
  atOnce: 1,
  maxWaitingPerCaller: 10,
  refusal: String,
  budgets: { refused: () => undefined },
});
const read = createReadAnswer(turns);
const readAnswer = (text: string, share = 'a') => read(text, url, { networkUid: `of-${share}`, share });
const answerOf = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
const errorOf = (message: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 3, message } });
const space = ' '.repeat(200_000);
const members = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":0`).join(',');

it.each([
  ['many names', answerOf(`{${members(100_000)}}`)],
  ['many values', answerOf(`[${'{},'.repeat(500_000)}{}]`)],
  ['many members of its own', `{"result":1,${members(100_000)}}`],
  ['a long text', answerOf(`"0x${'00'.repeat(500_000)}"`)],
  ['much space', `${space}${answerOf(`${space}1`)}${space}`],
  ['many escapes', answerOf(`"${'\\u0000'.repeat(200_000)}"`)],
])('an answer with %s is looked through in turns, and none of it is built', async (_what, text) => {
  const parse = jest.spyOn(JSON, 'parse');
  let answer: unknown;
  const counted = await countTurns(async () => {
    answer = await readAnswer(text);
  });
  const parsed = parse.mock.calls.length;
  parse.mockRestore();
  expect(counted).toBeGreaterThanOrEqual(Math.floor(text.length / 16_384));
  expect([answer, parsed]).toEqual([expect.objectContaining({ result: expect.any(String) }), 0]);
});

it('long ones are read one after the other, in turns of accounts, and short ones at once', async () => {
  const long = answerOf(`[${'0,'.repeat(50_000)}0]`);
  const order: string[] = [];
  const reads = [
    ['a', long],
    ['a', long],
    ['a', long],
    ['b', long],
    ['c', answerOf('1')],
  ].map(async ([share = '', text = '']) => {
    await readAnswer(text, share);
    order.push(share);
  });
  await Promise.all(reads);
  expect(order).toEqual(['c', 'a', 'b', 'a', 'a']);
});

it('a short one is read at once', async () => {
  expect(await countTurns(() => readAnswer(answerOf('"0x1"')))).toBe(0);
});

it.each([
  ['a number of a block', '"0x10"', 16],
  ['a block', '{"hash":"0x1","number":"0x10","transactions":[{"blockNumber":"0x11"}]}', 16],
  ['a receipt', '{"logs":[{"blockNumber":"0x9"}],"blockNumber":"0x10","number":"0x7"}', 16],
  ['a transaction that waits', '{"blockNumber":null,"number":"0x7"}', undefined],
  ['a list', '["0x10"]', undefined],
  ['something else', '{"value":{"number":"0x10"}}', undefined],
])('the block of a result that is %s', async (_what, result, block) => {
  const text = `{"params":{"number":"0x5"},"result":${result},"more":{"number":"0x6"}}`;
  expect(await readAnswer(text)).toEqual({ result, block });
});

it.each([
  ['a list', '[{"result":1}]'],
  ['a text', '"result"'],
  ['nothing', ''],
  ['an object with more behind it', '{"result":1}{'],
  ['an object that is not valid', '{"result":01}'],
  ['an object that does not end', '{"result":[{}'],
  ['an object without an answer', '{"id":1}'],
])('%s is not an answer', async (_what, text) => {
  expect(await readAnswer(text)).toBeUndefined();
});

it('an error that is longer than those of nodes is refused before it is searched for URLs', async () => {
  await expect(readAnswer(errorOf(`${url} `.repeat(10_000)))).rejects.toThrow(
    'the error of the fork source has more than 32768 characters',
  );
  expect(await readAnswer(errorOf(`see ${url}`))).toEqual({
    error: '{"code":3,"message":"see [fork source]"}',
  });
});
