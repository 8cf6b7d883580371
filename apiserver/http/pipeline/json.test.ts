import fc from 'fast-check';
import { stableJson } from '../../../core/lib/hash.ts';
import { growthOf, tooMuchGrowth } from '../../../core/lib/testing/growth.ts';
import { countTurns } from '../../../core/lib/testing/turns.ts';
import { parseJson, parseJsonInTurns } from './json.ts';

const parse = (text: string) => parseJson(Buffer.from(text)).value;

it('parses valid JSON like JSON.parse', () => {
  const value = fc
    .jsonValue({ maxDepth: 20 })
    .filter((candidate) => !/__proto__|constructor|prototype/.test(stableJson(candidate)));
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (expected, space) => {
      expect(parse(JSON.stringify(expected, null, space))).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
  );
});

it('returns a value or throws BadRequest for any text', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', '"a":', '1', 'null'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      try {
        parse(parts.join(''));
      } catch (error) {
        expect(error).toMatchObject({ reason: 'BadRequest' });
      }
    }),
  );
});

it.each([
  ['the same key twice', '{"a":{"b":1,"b":2}}', 'a.b'],
  ['the same key, once with escapes', '{"a":1,"\\u0061":2}', 'a'],
  ['in a list', '[1,{"x":[{"y":1,"y":2}]}]', '[1].x[0].y'],
  ['a key that reaches the prototype', '{"a":{"__proto__":null}}', 'a.__proto__'],
])('%s is refused with its path', (_reason, text, path) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ reason: 'BadRequest', details: [expect.objectContaining({ path })] }),
  );
});

it.each([
  ['half of a surrogate pair', '{"a":["\\ud800"]}', 'a[0]'],
  ['the other half, as a key', '{"\\uDC00x":1}', '\udc00x'],
])('%s is refused, because nothing can store it', (_reason, text, path) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ reason: 'BadRequest', details: [expect.objectContaining({ path })] }),
  );
});

it('a byte order mark is refused with the remedy', () => {
  expect(() => parse('\ufeff{}')).toThrow('begins with a byte order mark: send JSON without one');
});

it.each([
  ['the same key in different objects', '{"a":{"k":1},"b":{"k":1}}'],
  ['a value that spells a key', '{"a":"__proto__","b":["a","a"]}'],
  ['brackets and quotes in text', '{"a":"}]{[\\"","b":"\\\\"}'],
  ['a surrogate pair', '{"a":"\\ud83d\\ude00"}'],
])('%s is accepted', (_reason, text) => {
  expect(parse(text)).toEqual(JSON.parse(text.replace('\ufeff', '')));
});

describe('an object with many members', () => {
  const object = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])));

  it('may have a thousand', () => {
    expect(Object.keys(Object(parse(`[${object(1_000)}]`)).at(0))).toHaveLength(1_000);
  });

  it.each([
    ['at the top', object(1_001), ''],
    ['in another one', `{"a":[{},{"b":${object(1_001)}}]}`, 'a[1].b'],
  ])('is refused with its path: %s', (_where, text, path) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        reason: 'BadRequest',
        details: [{ path, message: 'has more than 1000 members' }],
      }),
    );
  });

  it('may have others in its members', () => {
    const text = `{"a":${object(600)},"b":${object(600)}}`;
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

it.each(['\\"', '\\\\', 'a'])('takes time in proportion to a text of %s', (piece) => {
  const growth = growthOf((length) => {
    const bytes = Buffer.from(`["${piece.repeat(length / piece.length)}"]`);
    return () => parseJson(bytes);
  });
  expect(growth).toBeLessThan(tooMuchGrowth);
});

it('does not quote the text if it is not JSON', () => {
  expect(() => parse('{"secret":"abc" x}')).toThrow('the body is not valid JSON');
});

describe('a number with many digits', () => {
  const read = (text: string) => parseJson(Buffer.from(text)).value;
  it.each([
    ['1e23', 1e23],
    ['100000000000000000000000', 1e23],
    ['0.10000000000000000000', 0.1],
    ['-9007199254740992', -(2 ** 53)],
    ['0.0000000000000000000', 0],
  ])('%s is that number', (text, value) => {
    expect(read(`{"a":${text}}`)).toEqual({ a: value });
  });

  it.each([
    '123456789012345678901234',
    '9007199254740993',
    '-0.12345678901234567891',
    '1.00000000000000000001e5',
  ])('%s, which a double would change, keeps its digits as text', (text) => {
    expect(read(`{"a":[1, ${text}]}`)).toEqual({ a: [1, text] });
  });

  it('in a string is not a number', () => {
    expect(read('{"a":"1234567890123456789012"}')).toEqual({ a: '1234567890123456789012' });
  });
});

describe('in turns', () => {
  const options = { maxHeapBytes: Number.POSITIVE_INFINITY, take: () => undefined };
  const inTurns = (text: string, onCounted: (count: number) => void = () => undefined) =>
    parseJsonInTurns(Buffer.from(text), { ...options, onCounted });

  it.each(['1', '12345678901234567890', '"a \\" b"', '{"b":[]}'])('a list of %s is the same', async (one) => {
    const text = `{"a":[${Array.from({ length: 200_000 }, () => one).join(', ')}]}`;
    expect(await inTurns(text)).toEqual(parseJson(Buffer.from(text)));
  });

  it('others have theirs while the brackets and the long numbers of a body are looked at', async () => {
    const quarters = 8;
    const list = (one: string) => `[${`${one},`.repeat((quarters * 300 * 1024) / (one.length + 1))}1]`;
    expect(await countTurns(() => inTurns(list('"abcdefg"')))).toBeGreaterThanOrEqual(quarters);
    expect(await countTurns(() => inTurns(list('12345678901234567890')))).toBeGreaterThanOrEqual(
      2 * quarters,
    );
    expect(await countTurns(() => inTurns('{"a":1}'))).toBeLessThanOrEqual(1);
  });

  it.each([
    ['is not JSON', '[1,2,x]', 'not valid JSON', 3],
    ['has a refused key, which no schema looks at', '[1,2,{"prototype":1},3]', 'not an allowed key', 0],
  ])('the values are counted of a text that %s', async (_, text, message, values) => {
    const counts: number[] = [];
    await expect(inTurns(text, (count) => counts.push(count))).rejects.toThrow(message);
    expect(counts).toEqual([values]);
  });
});
