import type { JsonSchema } from './schemas.ts';

/** One field of an object as the reference shows it. */
export interface FieldRow {
  /** Dotted path from the object; `[]` for entries of an array, `*` for values of a map. */
  path: string;
  type: string;
  /** The named schema of the type, if there is one. */
  schemaName?: string;
  isRequired: boolean;
  description: string;
}

interface Node extends JsonSchema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  description?: string;
  required?: string[];
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
}

/** The fields of an object's schema in order, including those of nested unnamed objects. */
export function fieldRows(schema: JsonSchema, prefix = ''): FieldRow[] {
  const { properties = {}, required = [] }: Node = schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const row: FieldRow = {
      path,
      type: typeText(member),
      isRequired: required.includes(name),
      description: describe(member),
    };
    const schemaName = schemaNameIn(member);
    return [schemaName === undefined ? row : { ...row, schemaName }, ...nested(member, path)];
  });
}

/** The type of a value as text: `string`, `Network[]`, `map of string`, `"a" | "b"`. */
export function typeText(schema: JsonSchema): string {
  const node: Node = schema;
  const name = refName(node);
  if (name !== undefined) return name;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (node.items) return `${parenthesised(typeText(node.items))}[]`;
  const values = valuesOf(node);
  if (values) return `map of ${Object.keys(values).length === 0 ? 'anything' : typeText(values)}`;
  const options = node.anyOf ?? node.oneOf;
  if (options) return [...new Set(options.map(typeText))].join(' | ');
  return node.type ?? 'anything';
}

/** The named schema that `schema` refers to, directly or in its entries. */
export function schemaNameIn(schema: JsonSchema): string | undefined {
  const node: Node = schema;
  const within = node.items ?? valuesOf(node);
  return refName(node) ?? (within ? schemaNameIn(within) : undefined);
}

function nested(member: Node, path: string): FieldRow[] {
  if (member.properties) return fieldRows(member, `${path}.`);
  if (member.items) return nested(member.items, `${path}[]`);
  const values = valuesOf(member);
  return values ? nested(values, `${path}.*`) : [];
}

/** The value schema of a map; undefined for an object with its own fields. */
function valuesOf(node: Node): Node | undefined {
  const isMap = !node.properties && typeof node.additionalProperties === 'object';
  return isMap && typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}

function refName(node: Node): string | undefined {
  return node.$ref?.split('/').at(-1);
}

function parenthesised(type: string): string {
  return type.includes(' ') ? `(${type})` : type;
}

function describe(node: Node): string {
  const { description = '', default: value } = node;
  return value === undefined ? description : `${description} Default: ${JSON.stringify(value)}.`.trim();
}
