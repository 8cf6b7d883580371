import fc from 'fast-check';
import { growthOf, tooMuchGrowth } from '../../../core/lib/testing/growth.ts';
import { createParser } from './serverSentEvents.ts';

/** The parse of parts, as pairs of event and data, with the last id and the retry. */
function parse(...parts: string[]) {
  const parser = createParser();
  const results = parts.map(parser);
  const { lastId, retryMs } = results.at(-1) ?? {};
  return {
    messages: results.flatMap(({ messages }) => messages.map((one) => [one.event, one.data, one.lastId])),
    lastId,
    retryMs,
  };
}

it.each<[string, string, string[][]]>([
  ['an event with a type and an id', 'id: 7\nevent: a.b\ndata: {}\n\n', [['a.b', '{}', '7']]],
  ['an event without a type', 'data: x\n\n', [['message', 'x', '']]],
  ['data of several lines', 'data: x\ndata: y\n\n', [['message', 'x\ny', '']]],
  ['no blank after the colon', 'data:x\n\n', [['message', 'x', '']]],
  ['only the first blank is not data', 'data:  x\n\n', [['message', ' x', '']]],
  ['a colon in the data', 'data: a:b\n\n', [['message', 'a:b', '']]],
  ['a field without a value', 'data\n\n', [['message', '', '']]],
  ['a heartbeat', ': alive\n\ndata: x\n\n', [['message', 'x', '']]],
  ['an unknown field', 'toString: x\ndata: x\n\n', [['message', 'x', '']]],
  [
    'ends of lines of all kinds',
    'data: a\r\n\r\ndata: b\r\rdata: c\n\n',
    [
      ['message', 'a', ''],
      ['message', 'b', ''],
      ['message', 'c', ''],
    ],
  ],
  ['a byte order mark', '\ufeffdata: x\n\n', [['message', 'x', '']]],
  ['an event that is cut off', 'data: x\n\ndata: y\n', [['message', 'x', '']]],
  [
    'an id stays until the next one',
    'id: 1\ndata: a\n\ndata: b\n\n',
    [
      ['message', 'a', '1'],
      ['message', 'b', '1'],
    ],
  ],
])('%s', (_what, text, messages) => {
  expect(parse(text).messages).toEqual(messages);
});

it('knows an id without an event, but not that of an event that is cut off', () => {
  expect(parse('id: 1\n\nid: 2\ndata: x\n').lastId).toBe('1');
});

it.each([
  ['retry: 2500\n', 2_500],
  ['retry: soon\n', undefined],
])('takes only a number as the wait before a reconnect: %j', (text, retryMs) => {
  expect(parse(text).retryMs).toBe(retryMs);
});

it('gives the same events however the stream is cut into parts', () => {
  const text = 'id: 1\r\nevent: a\r\ndata: x\r\n\r\n: alive\n\nid: 2\rdata: y\rdata: z\r\rretry: 5\n\n';
  const whole = parse(text);
  expect(whole.messages).toHaveLength(2);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const parts = at.slice(1).map((end, index) => text.slice(at[index], end));
      expect(parse(...parts)).toEqual(whole);
    }),
  );
});

it.each([
  ['in small parts', 'x'.repeat(7)],
  ['in parts that end with a CR', 'xxxxxx\r'],
])('reads a long line in linear time: %s', (_how, part) => {
  const partsOf = (length: number) => ['data: ', ...Array(Math.ceil(length / 7)).fill(part), '\n\n'];
  const work = (length: number) => {
    const parts = partsOf(length);
    return () => parts.map(createParser());
  };
  expect(growthOf(work)).toBeLessThan(tooMuchGrowth);
});
