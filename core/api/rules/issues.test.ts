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
