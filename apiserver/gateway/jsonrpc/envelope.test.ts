import fc from 'fast-check';
import { parseRpcMessage } from './envelope.ts';

const parse = (text: string) => parseRpcMessage(Buffer.from(text));
const itemOf = (text: string) => parse(text).items[0];

describe('unambiguous calls', () => {
  it('are forwarded as they were sent', () => {
    const text =
      ' { "jsonrpc" : "2.0", "id":1e400, "method":"eth_call", "params":[123456789012345678901234567890] } ';
    expect(parse(text)).toEqual({
      isBatch: false,
      items: [{ id: '1e400', method: 'eth_call', text: text.trim(), isRewritten: false }],
    });
  });

  it('keep every byte of their values if unknown members are removed', () => {
    const item = itemOf(
      '{"id":0.10,"Method":"anvil_mine","method":"eth_call","x":[{}],"params":[1.0,"\\u0041"]}',
    );
    expect(item).toEqual({
      id: '0.10',
      method: 'eth_call',
      text: '{"id":0.10,"method":"eth_call","params":[1.0,"\\u0041"]}',
      isRewritten: true,
    });
  });

  it('may be notifications', () => {
    expect(itemOf('{"method":"eth_call"}')).toMatchObject({ id: undefined, method: 'eth_call' });
  });

  it('come in batches', () => {
    const { isBatch, items } = parse(
      '[{"id":1,"method":"a_b"} ,\n{"id":"}]","method":"c_d","params":{"x":"\\"]"}}]',
    );
    expect(isBatch).toBe(true);
    expect(items).toMatchObject([{ method: 'a_b' }, { id: '"}]"', method: 'c_d' }]);
  });
});

const faults: [string, string, RegExp][] = [
  [
    'which one counts differs between parsers',
    '{"id":1,"method":"eth_call","method":"anvil_mine"}',
    /more than once/,
  ],
  [
    'the same name with an escape',
    '{"id":1,"method":"eth_call","m\\u0065thod":"anvil_mine"}',
    /without escapes/,
  ],
  ['two ids', '{"id":1,"id":2,"method":"eth_call"}', /more than once/],
  ['two lists of parameters', '{"id":1,"method":"eth_call","params":[],"params":[1]}', /more than once/],
  ['an escape in the method', '{"id":1,"method":"\\u0061nvil_mine"}', /plain name/],
  ['a method that is not a string', '{"id":1,"method":{"a":1}}', /plain name/],
  ['a method with a line break', '{"id":1,"method":"eth_call\\n"}', /plain name/],
  ['a full-width letter', '{"id":1,"method":"ｅth_call"}', /plain name/],
  ['no method', '{"id":1}', /plain name/],
  ['an empty object', '{}', /plain name/],
  ['an id that is an object', '{"id":{},"method":"eth_call"}', /must be a string, a number or null/],
  ['an id that is a boolean', '{"id":true,"method":"eth_call"}', /must be a string, a number or null/],
  ['not an object', '5', /JSON object/],
  ['not an object', '"eth_call"', /JSON object/],
  ['not an object', 'null', /JSON object/],
  ['not an object in a batch', '[[]]', /JSON object/],
];

it.each(faults)('is a fault: %s', (_reason, text, message) => {
  expect(itemOf(text)).toMatchObject({ fault: expect.stringMatching(message) });
});

const membersOf = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"m${at}":[0,0]`).join(',')}}`;

it('objects may have as many members as a call needs', () => {
  expect(itemOf(`{"id":1,"method":"a_b","params":[${membersOf(1024)},${membersOf(1024)}]}`)).toMatchObject({
    method: 'a_b',
  });
});

const refused: [string, string | Buffer, RegExp][] = [
  ['an empty body', '', /not valid JSON/],
  ['truncated JSON', '{"id":1', /not valid JSON/],
  ['JSON truncated in a string', '{"id":"', /not valid JSON/],
  ['JSON truncated after a backslash', '{"id":"\\"', /not valid JSON/],
  ['trailing text', '{"id":1,"method":"a_b"}{}', /not valid JSON/],
  ['a trailing comma', '{"id":1,"method":"a_b",}', /not valid JSON/],
  ['a batch with a trailing comma', '[{"id":1,"method":"a_b"},]', /not valid JSON/],
  ['mismatched brackets', '{"id":1,"method":"a_b","params":[}]}', /not valid JSON/],
  ['single quotes', "{'id':1}", /not valid JSON/],
  ['NaN', '{"id":1,"method":"a_b","params":[NaN]}', /not valid JSON/],
  ['a comment', '{"id":1,/**/"method":"a_b"}', /not valid JSON/],
  ['a byte order mark', '\ufeff{"id":1,"method":"a_b"}', /not valid JSON/],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not valid JSON/],
  ['an empty batch', '[]', /batch is empty/],
  ['a batch that is too large', `[${Array(1001).fill('{}').join(',')}]`, /at most 1000/],
  [
    'JSON that is too deep',
    `{"method":"a_b","params":${'['.repeat(33)}${']'.repeat(33)}}`,
    /nested too deeply: at most 32/,
  ],
  ['a depth bomb', '['.repeat(5_000_000), /not valid JSON|too deeply/],
  ['a depth bomb in a call', `{"params":${'[{"a":'.repeat(500_000)}`, /nested too deeply: at most 32/],
  ['too many members', `{"method":"a_b","params":[{"a":[${membersOf(1025)}]}]}`, /members: at most 1024/],
  ['too many members of a call', membersOf(1025), /members: at most 1024/],
  ['too many values', `{"method":"a_b","params":[${'0,'.repeat(100_001)}0]}`, /at most 100000/],
];

it.each(refused)('refuses %s', (_reason, body, message) => {
  expect(() => parseRpcMessage(Buffer.from(body))).toThrow(message);
});

describe('properties', () => {
  const json = fc.jsonValue({ maxDepth: 4 });

  it('finds the same values as JSON.parse in any JSON text', () => {
    fc.assert(
      fc.property(json, json, fc.string(), (id, params, extra) => {
        const text = JSON.stringify({ [extra]: id, params, method: 'eth_call', id: extra }, null, 1);
        const item = itemOf(text);
        if (!item || 'fault' in item) return;
        const sent = JSON.parse(item.text);
        expect(sent.params).toEqual(JSON.parse(text).params);
        expect(sent.method).toBe(item.method);
        expect(JSON.parse(item.id ?? 'null')).toBe(extra);
      }),
    );
  });

  it('only throws BadRequest for any text, and only accepts what JSON.parse accepts', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"id"',
      '"method"',
      '"a_b"',
      '1',
      ' ',
      'n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        const text = parts.join('');
        try {
          parse(text);
        } catch (error) {
          expect(error).toMatchObject({ reason: 'BadRequest' });
          return;
        }
        expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });
});
