import { z } from 'zod';
import { parseUntilError } from '../parseUntilError.ts';
import { countTurns } from '../testing/turns.ts';
import { parseInTurns } from './parseInTurns.ts';

const itemSchema = z.strictObject({
  name: z.string().transform((name) => name.toUpperCase()),
  parts: z.array(z.int()).optional(),
});
const schema = z.strictObject({
  kind: z.string().optional(),
  lists: z.record(z.string(), z.strictObject({ items: z.array(itemSchema) })).optional(),
  few: z.array(z.int()).max(200).optional(),
});

const items = (length: number, parts?: unknown[]) =>
  Array.from({ length }, (_, at) => ({ name: `n${at}`, ...(parts ? { parts } : {}) }));
const ints = (length: number): unknown[] => Array.from({ length }, (_, at) => at);

it.each<[string, unknown]>([
  ['a short value', { kind: 'a', lists: { a: { items: items(3) } } }],
  ['a long list', { kind: 'a', lists: { a: { items: items(500) }, b: { items: [] } } }],
  ['long lists in one of few elements', { lists: { a: { items: items(3, ints(500)) } } }],
  ['long lists in a long list', { lists: { a: { items: items(300, ints(150)) }, b: { items: items(150) } } }],
  ['a list with a rule of its own', { few: ints(200) }],
])('%s is what it is when it is checked as a whole', async (_, value) => {
  const parsed = await parseInTurns(schema, structuredClone(value));
  expect(parsed).toEqual(parseUntilError(schema, value));
  expect(parsed.success).toBe(true);
});

const long = items(500);
it.each<[string, unknown, string]>([
  ['beside a list', { kind: 1, lists: { a: { items: long } } }, 'kind'],
  ['an unknown member with a list', { other: ints(500) }, ''],
  ['in a long list', { lists: { a: { items: [...long, { name: 1 }] } } }, 'lists.a.items.500.name'],
  [
    'in a list in a long list',
    { lists: { a: { items: [...long, ...items(1, [...ints(500), 'x'])] } } },
    'lists.a.items.500.parts.500',
  ],
  ['a list that is too long', { few: ints(201) }, 'few'],
  ['a list where none belongs', { kind: ints(500) }, 'kind'],
])('an error %s has its path', async (_, value, path) => {
  const parsed = await parseInTurns(schema, value);
  expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

it('others have turns for every 2,000 values, wherever the lists are', async () => {
  const turnsOf = (value: unknown) => countTurns(() => parseInTurns(schema, value));
  expect(await turnsOf({ lists: { a: { items: items(3) } } })).toBe(0);
  expect(await turnsOf({ lists: { a: { items: items(10_000) } } })).toBeGreaterThanOrEqual(10);
  expect(await turnsOf({ lists: { a: { items: items(1, ints(20_000)) } } })).toBeGreaterThanOrEqual(10);
});
