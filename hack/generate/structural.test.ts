import { z } from 'zod';
import { structuralSchema } from './structural.ts';

test.each([
  ['an integer has a format, and not the bounds of a double', z.int(), { type: 'integer', format: 'int64' }],
  [
    'meaningful bounds stay',
    z.int().min(1).max(9),
    { type: 'integer', format: 'int64', minimum: 1, maximum: 9 },
  ],
  ['a time keeps only its format', z.iso.datetime({ offset: true }), { type: 'string', format: 'date-time' }],
  [
    'unknown members are pruned, not refused',
    z.strictObject({ a: z.string().optional() }),
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  [
    'a record is a map',
    z.record(z.string().max(3), z.string()),
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  [
    'a record of anything keeps its content',
    z.record(z.string(), z.unknown()),
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  ],
  ['a literal is an enum', z.literal('A'), { type: 'string', enum: ['A'] }],
  ['a default stays', z.boolean().default(true), { type: 'boolean', default: true }],
  [
    'a shared schema is inlined',
    z.object({ a: z.array(z.int()) }),
    {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'integer', format: 'int64' } } },
      required: ['a'],
    },
  ],
])('%s', (_reason, schema, expected) => {
  expect(structuralSchema(schema, 'spec')).toEqual(expected);
});

test('a union is refused, with its path', () => {
  const schema = z.object({ list: z.array(z.object({ id: z.union([z.string(), z.int()]) })) });
  expect(() => structuralSchema(schema, 'Thing.spec')).toThrow(
    'Thing.spec.list[].id: anyOf is not structural',
  );
});
