import { z } from 'zod';
import { detailsOf } from './issues.ts';

const schema = z.strictObject({ a: z.strictObject({ b: z.array(z.int()) }), c: z.string() });

function detailsFor(value: unknown) {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : detailsOf(parsed.error);
}

test.each([
  [
    'an unknown key by its own path',
    { a: { b: [], x: 1 }, c: '' },
    [{ path: 'a.x', message: 'unknown field' }],
  ],
  [
    'unknown keys one by one',
    { a: { b: [] }, c: '', x: 1, y: 2 },
    [
      { path: 'x', message: 'unknown field' },
      { path: 'y', message: 'unknown field' },
    ],
  ],
  ['a missing field as required', { a: { b: [] } }, [{ path: 'c', message: 'required' }]],
  [
    'an entry of an array by its index',
    { a: { b: [1, 'x'] }, c: '' },
    [expect.objectContaining({ path: 'a.b[1]' })],
  ],
  ['the whole body with an empty path', 7, [expect.objectContaining({ path: '' })]],
])('names %s', (_reason, value, details) => {
  expect(detailsFor(value)).toEqual(details);
});

test('says what is wrong with the name of a member', () => {
  const parsed = z.object({ a: z.record(z.string().min(1), z.int()) }).safeParse({ a: { '': 1 } });
  expect(parsed.success ? [] : detailsOf(parsed.error)).toEqual([
    { path: 'a[""]', message: 'has a name that is not allowed: it must not be empty' },
  ]);
});

test('says of what is of another type nothing else', () => {
  const parsed = z.object({ a: z.array(z.string()).max(2) }).safeParse({ a: 'admin' });
  expect(parsed.success ? [] : detailsOf(parsed.error)).toEqual([
    { path: 'a', message: 'must be a list, not text' },
  ]);
});

test('a key named __proto__ is unknown like any other', () => {
  expect(detailsFor(JSON.parse('{"a":{"b":[]},"c":"","__proto__":{"x":1}}'))).toEqual([
    { path: '__proto__', message: 'unknown field' },
  ]);
});

test('says that a string is empty, unless the rule has words of its own', () => {
  const rules = z.object({ a: z.string().min(1), b: z.string().min(1, 'name the network') });
  const parsed = rules.safeParse({ a: '', b: '' });
  expect(parsed.success ? [] : detailsOf(parsed.error)).toEqual([
    { path: 'a', message: 'must not be empty' },
    { path: 'b', message: 'name the network' },
  ]);
});

test.each<[string, z.ZodType, unknown, string]>([
  ['text for a number', z.number(), 'fast', 'must be a number, not text'],
  ['a fraction', z.int(), 1.5, 'must be a whole number'],
  ['null for an object', z.object({}), null, 'must be an object, not null'],
  ['a number that is too large', z.int().max(256), 257, 'must be at most 256'],
  ['a number that is not more', z.number().gt(0), 0, 'must be more than 0'],
  ['too few entries', z.array(z.int()).min(2), [1], 'must have at least 2 entries'],
  ['too many characters', z.string().max(1), 'ab', 'must have at most 1 character'],
  ['another choice', z.enum(['geth', 'reth']), 'gethh', 'use one of "geth", "reth"'],
  ['another constant', z.literal('v1'), 'v2', 'must be "v1"'],
  ['what is not a URL', z.url(), 'x', 'must be a URL such as https://example.com'],
  ['no form of a union', z.union([z.string(), z.int()]), true, 'has none of the forms that are allowed here'],
])('says in plain words what is wrong with %s', (_what, rule, value, message) => {
  const parsed = z.object({ a: rule }).safeParse({ a: value });
  expect(parsed.success ? [] : detailsOf(parsed.error)).toEqual([{ path: 'a', message }]);
});

test('says once what is wrong with a text', () => {
  const form = z
    .string()
    .min(2)
    .regex(/^\d+s$/, 'use seconds: "30s"');
  const name = z
    .string()
    .min(1)
    .regex(/^[a-z]+$/, 'use letters');
  const parsed = z.object({ form, name }).safeParse({ form: '5', name: '' });
  expect(parsed.success ? [] : detailsOf(parsed.error)).toEqual([
    { path: 'form', message: 'use seconds: "30s"' },
    { path: 'name', message: 'must not be empty' },
  ]);
});
