import { z } from 'zod';
import { compact } from '../../core/lib/compact.ts';

export type JsonSchema = Record<string, unknown>;

const unions = ['anyOf', 'oneOf', 'allOf', 'not', '$ref'];

/**
 * A zod schema as a structural schema of Kubernetes: every level has a type, no unions, no references. kube-apiserver
 * prunes unknown members itself, so `additionalProperties: false` is removed. Throws where a schema
 * cannot be expressed that way, with the path.
 */
export function structuralSchema(schema: z.ZodType, place: string): JsonSchema {
  const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', reused: 'inline' });
  return structural({ ...json }, place);
}

function structural(node: JsonSchema, place: string): JsonSchema {
  const union = unions.find((key) => key in node);
  if (union) throw new Error(`${place}: ${union} is not structural; use a flat object and a rule`);
  const { $schema: _schema, propertyNames: _names, additionalProperties, description, ...rest } = node;
  const kept: JsonSchema = { ...compact({ description: description || undefined }), ...rest };
  if (kept.type === undefined && kept.enum === undefined) return anything(kept);
  if (kept.type === 'integer') return integer(kept);
  if (kept.format === 'date-time') delete kept.pattern;
  if (isSchema(kept.items)) kept.items = structural(kept.items, `${place}[]`);
  if (isSchema(kept.properties)) kept.properties = members(kept.properties, place);
  if (!isSchema(additionalProperties)) return kept;
  if (Object.keys(additionalProperties).length === 0) return anything(kept);
  return { ...kept, additionalProperties: structural(additionalProperties, `${place}.*`) };
}

function members(properties: JsonSchema, place: string): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      if (!isSchema(member)) throw new Error(`${place}.${name}: not a schema`);
      return [name, structural(member, `${place}.${name}`)];
    }),
  );
}

function anything(node: JsonSchema): JsonSchema {
  return { ...node, 'x-kubernetes-preserve-unknown-fields': true };
}

/** z.int() sets the bounds of the integers that a double represents exactly; such a bound is redundant here. */
function integer(node: JsonSchema): JsonSchema {
  const kept: JsonSchema = { ...node, format: 'int64' };
  if (kept.minimum === Number.MIN_SAFE_INTEGER) delete kept.minimum;
  if (kept.maximum === Number.MAX_SAFE_INTEGER) delete kept.maximum;
  return kept;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
