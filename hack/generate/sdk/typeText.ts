import type { JsonSchema } from '../../../core/api/openapi/schemas.ts';

interface Node extends JsonSchema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  anyOf?: Node[];
  description?: string;
  required?: string[];
  items?: Node;
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  null: 'null',
};

/** A JSON schema as a TypeScript type. Enums stay open: a later version of the service may answer other values. */
export function typeText(schema: JsonSchema, indent = ''): string {
  const node: Node = schema;
  if (node.$ref !== undefined) return node.$ref.split('/').at(-1) ?? '';
  if (node.const !== undefined) return literal(node.const);
  const known = node.enum ?? node.examples;
  if (known) return `Open<${known.map(literal).join(' | ')}>`;
  if (node.items) return arrayOf(typeText(node.items, indent));
  if (node.properties) return objectText(node, indent);
  if (typeof node.additionalProperties === 'object') {
    return `Record<string, ${valueText(node.additionalProperties, indent)}>`;
  }
  if (node.type === 'object') return 'Record<string, unknown>';
  if (node.type === undefined && node.anyOf)
    return node.anyOf.map((one) => typeText(one, indent)).join(' | ');
  return simpleTypes[node.type ?? ''] ?? 'unknown';
}

/** The members of an object between braces. Optional ones may also be undefined, which JSON leaves out. */
export function objectText(schema: JsonSchema, indent = ''): string {
  const { properties = {}, required = [] }: Node = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const type = typeText(member, inner);
    const isRequired = required.includes(name);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    const end = isRequired || type === 'unknown' ? type : `${type} | undefined`;
    return [...comment(member.description, inner), `${inner}${key}${isRequired ? '' : '?'}: ${end};`];
  });
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n${indent}}`;
}

/** The lines of a docstring; none without text. */
export function comment(text: string | undefined, indent = ''): string[] {
  if (!text) return [];
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [
    `${indent}/**`,
    ...lines.map((line) => (line === '' ? `${indent} *` : `${indent} * ${line}`)),
    `${indent} */`,
  ];
}

function valueText(node: Node, indent: string): string {
  return Object.keys(node).length === 0 ? 'unknown' : typeText(node, indent);
}

function arrayOf(type: string): string {
  return /^[\w{]/.test(type) && !type.includes(' | ') ? `${type}[]` : `(${type})[]`;
}

/** A value of JSON as a literal. */
export function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}
