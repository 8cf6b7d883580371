import { z } from 'zod';
import { tools } from './server.ts';

/** The paths of texts of any length in a JSON schema. */
function unbounded(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maxLength, enum: choices } = schema as Record<string, unknown>;
  const own = type === 'string' && maxLength === undefined && choices === undefined ? [path] : [];
  return [...own, ...Object.entries(schema).flatMap(([key, value]) => unbounded(value, `${path}.${key}`))];
}

it('no tool takes a text of any length, on which its work would depend', () => {
  expect(tools.flatMap(({ name, input }) => unbounded(z.toJSONSchema(input, { io: 'input' }), name))).toEqual(
    [],
  );
});
