/**
 * What a changed CustomResourceDefinition does to objects that are stored already: members that are pruned, and values that
 * kube-apiserver would refuse at the next write (docs/decisions/0085-upgrades.md).
 */

export type Schema = Record<string, unknown>;

export interface Definition {
  spec: {
    names: { kind: string };
    versions: { name: string; served: boolean; storage: boolean; schema: { openAPIV3Schema: Schema } }[];
  };
}

/** Every change that takes something from stored objects, as `<kind> <path>: <what>`; `after` undefined: the kind is gone. */
export function breaksBetween(before: Definition, after: Definition | undefined): string[] {
  const { kind } = before.spec.names;
  if (!after) return [`${kind}: the kind is gone`];
  return before.spec.versions.flatMap((version) => {
    const now = after.spec.versions.find(({ name }) => name === version.name);
    if (!now?.served) return [`${kind}: version ${version.name} is no longer served`];
    return schemaBreaks(version.schema.openAPIV3Schema, now.schema.openAPIV3Schema).map(
      ([path, what]) => `${kind} ${path || '.'}: ${what}`,
    );
  });
}

type Break = [path: string, what: string];

function schemaBreaks(before: Schema, after: Schema, path = ''): Break[] {
  return [
    ...valueBreaks(before, after).map((what): Break => [path, what]),
    ...memberBreaks(before, after, path),
  ];
}

function memberBreaks(before: Schema, after: Schema, path: string): Break[] {
  const former = schemasIn(before.properties);
  const now = schemasIn(after.properties);
  const members = Object.entries(former).flatMap(([name, schema]): Break[] => {
    const next = now[name];
    if (next) return schemaBreaks(schema, next, `${path}.${name}`);
    return keepsUnnamed(after) ? [] : [[`${path}.${name}`, 'is gone: kube-apiserver prunes it']];
  });
  const nested = [
    ['items', '[]'],
    ['additionalProperties', '.*'],
  ].flatMap(([member = '', mark]): Break[] => {
    const [one, other] = [before[member], after[member]];
    return isSchema(one) && isSchema(other) ? schemaBreaks(one, other, `${path}${mark}`) : [];
  });
  const unnamed: Break[] =
    keepsUnnamed(before) && !keepsUnnamed(after)
      ? [[path, 'drops members that it does not name: kube-apiserver prunes them']]
      : [];
  return [...members, ...nested, ...unnamed];
}

/** Whether an object may have members of any name. */
function keepsUnnamed(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || isSchema(schema.additionalProperties);
}

/** Limits by the direction in which they become tighter. */
const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const lower = ['minimum', 'minLength', 'minItems', 'minProperties'];

function valueBreaks(before: Schema, after: Schema): string[] {
  return [...typeBreaks(before, after), ...limitBreaks(before, after), ...ruleBreaks(before, after)];
}

function typeBreaks(before: Schema, after: Schema): string[] {
  const found: string[] = [];
  if (before.type !== after.type && after.type !== undefined) {
    found.push(`its type ${String(before.type)} became ${String(after.type)}`);
  }
  const required = listOf(after.required).filter((name) => !listOf(before.required).includes(name));
  if (required.length > 0) found.push(`${required.join(', ')} became required`);
  const values = listOf(before.enum).filter((value) => after.enum && !listOf(after.enum).includes(value));
  if (values.length > 0) found.push(`no longer allows ${values.join(', ')}`);
  if (!before.enum && after.enum) found.push('allows certain values alone');
  return found;
}

function limitBreaks(before: Schema, after: Schema): string[] {
  const of = (schema: Schema, name: string, otherwise: number) =>
    typeof schema[name] === 'number' ? schema[name] : otherwise;
  const { POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number;
  const tighter = [
    ...upper.filter((name) => of(after, name, most) < of(before, name, most)),
    ...lower.filter((name) => of(after, name, least) > of(before, name, least)),
    ...['pattern', 'format'].filter((name) => after[name] !== undefined && after[name] !== before[name]),
  ];
  return tighter.map((name) => `${name} became ${String(after[name])}`);
}

/** A rule about the former object (`oldSelf`) concerns changes, and no stored object as it is. */
function ruleBreaks(before: Schema, after: Schema): string[] {
  const rulesOf = (schema: Schema) =>
    listOf(schema['x-kubernetes-validations']).flatMap((one) => (isSchema(one) ? [String(one.rule)] : []));
  const known = rulesOf(before);
  return rulesOf(after)
    .filter((rule) => !known.includes(rule) && !rule.includes('oldSelf'))
    .map((rule) => `has a new rule: ${rule}`);
}

function schemasIn(value: unknown): Record<string, Schema> {
  return isSchema(value) ? (value as Record<string, Schema>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
