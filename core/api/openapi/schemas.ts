import { z } from 'zod';
import { namedSchemas } from './components.ts';
import { conditions } from './conditions.ts';

export type JsonSchema = Record<string, unknown>;

const names = new Map<unknown, string>(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));

const referencePrefix = '#/components/schemas/';

/** The name of a schema, also if it differs from the named one only by its description or by refinements. */
function nameOfSchema(schema: z.core.$ZodType): string | undefined {
  const name = names.get(schema);
  const { parent } = schema._zod;
  return name !== undefined || parent === undefined ? name : nameOfSchema(parent);
}

/** A schema of the contract as JSON Schema 2020-12, with references to the named schemas. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const name = nameOfSchema(schema);
  return name === undefined ? convert(schema) : { $ref: `${referencePrefix}${name}` };
}

/** All named schemas, in full, by name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(namedSchemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [name, { ...convert(schema), ...conditions[name] }]),
  );
}

function convert(root: z.ZodType): JsonSchema {
  const { $schema: _schema, ...json } = z.toJSONSchema(root, {
    target: 'draft-2020-12',
    io: 'input',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema, path }) => {
      const name = path.length === 0 ? undefined : nameOfSchema(zodSchema);
      if (name === undefined) dropRedundant(jsonSchema);
      if (name !== undefined) replaceByReference(jsonSchema, name);
    },
  });
  return json;
}

function replaceByReference(schema: JsonSchema, name: string): void {
  for (const key of Object.keys(schema)) {
    if (key !== 'description') delete schema[key];
  }
  schema.$ref = `${referencePrefix}${name}`;
}

/** Drops Kubernetes extensions and redundant keywords: safe-integer bounds, the pattern of a time. */
function dropRedundant(schema: JsonSchema): void {
  for (const key of Object.keys(schema)) {
    if (key.startsWith('x-kubernetes-')) delete schema[key];
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === 'date-time') delete schema.pattern;
}
