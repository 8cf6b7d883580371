import fc from 'fast-check';
import { isAppError } from '../core/lib/errors.ts';
import { type TextMember, walkJson } from './walkJson.ts';

async function isJson(text: string): Promise<boolean> {
  try {
    await walkJson(text, { names: [], onMember: () => undefined });
    return true;
  } catch (error) {
    if (!isAppError(error, 'BadRequest')) throw error;
    return false;
  }
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const spaced = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, space]) => JSON.stringify(value, undefined, space));

it('takes for JSON what JSON.parse does', async () => {
  await fc.assert(fc.asyncProperty(spaced, async (text) => expect(await isJson(text)).toBe(true)));
});

/** Texts that are nearly JSON. */
const pieces = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', ' ', '"', '"a"', '"\\n"', '"\\u00e9"', '"\\u00g0"', '\\', '"\u0001"'],
  ...[
    '0',
    '01',
    '-',
    '-1',
    '1.5',
    '1.',
    '1e5',
    '1e',
    'true',
    'nul',
    'null',
    'NaN',
    '\u00a0',
    'é',
    '"é\u2028"',
  ],
);

it('and refuses what JSON.parse does', async () => {
  const texts = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(texts, async (text) =>
      expect([text, await isJson(text)]).toEqual([text, isParsed(text)]),
    ),
    { numRuns: 5_000 },
  );
});

it('also when one piece of a valid text is missing or another one', async () => {
  const changed = fc.tuple(spaced, fc.nat(), fc.option(pieces, { nil: '' })).map(([text, at, piece]) => {
    const index = at % text.length;
    return `${text.slice(0, index)}${piece}${text.slice(index + 1)}`;
  });
  await fc.assert(
    fc.asyncProperty(changed, async (text) =>
      expect([text, await isJson(text)]).toEqual([text, isParsed(text)]),
    ),
    { numRuns: 2_000 },
  );
});

it('a text longer than a turn is still what it is', async () => {
  const long = JSON.stringify({
    [`"${'\\'.repeat(100_000)}`]: 'é\n'.repeat(50_000),
    list: Array(50_000).fill({ a: [] }),
  });
  expect(await isJson(long)).toBe(true);
  expect(await isJson(long.slice(0, -1))).toBe(false);
});

it('tells members of the outermost object, and of those in it, by their names', async () => {
  const told: unknown[] = [];
  const text = `{ "a": {"b" : [{"c":1}], "b": {"d":2}} , "e":[{"a":3}], "f": {"a":4}, "b\\u0000": 5, "b":"\\"" }`;
  const onMember = ({ name, within, start, end }: TextMember) =>
    told.push([within, name, text.slice(start, end)]);
  await walkJson(text, { names: ['"a"', '"b"', '"d"'], onMember });
  expect(told).toEqual([
    ['"a"', '"b"', '[{"c":1}]'],
    ['"a"', '"b"', '{"d":2}'],
    [undefined, '"a"', '{"b" : [{"c":1}], "b": {"d":2}}'],
    [undefined, '"b"', '"\\""'],
  ]);
});

it('nesting is bounded, so that a text of brackets needs little memory', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect([await isJson(nested(4_096)), await isJson(nested(4_097))]).toEqual([true, false]);
});
