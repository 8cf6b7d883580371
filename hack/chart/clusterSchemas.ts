interface Schema {
  [keyword: string]: unknown;
}

interface Swagger {
  definitions: Record<string, Schema>;
}

interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

const kindKeyword = 'x-kubernetes-group-version-kind';

/** Definitions that accept several JSON types, which OpenAPI 2 cannot express. */
const looseTypes: Record<string, Schema> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['string', 'integer'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
};

/**
 * Converts a cluster's `/openapi/v2` into JSON Schemas for kubeconform: file name to text, for the schema location
 * `{{ .ResourceKind }}{{ .KindSuffix }}.json`. The schemas are strict: they reject fields that the cluster does not know.
 */
export function clusterSchemas(swagger: Swagger): Map<string, string> {
  const definitions = Object.fromEntries(
    Object.entries(swagger.definitions).map(([name, schema]) => [name, looseTypes[name] ?? strict(schema)]),
  );
  const files = new Map<string, string>();
  for (const [name, schema] of Object.entries(swagger.definitions)) {
    const kinds = (schema[kindKeyword] ?? []) as GroupVersionKind[];
    // Request options list the kinds of every group, so only a definition with exactly one kind counts.
    if (kinds.length !== 1) continue;
    for (const kind of kinds) {
      files.set(fileName(kind), JSON.stringify({ $ref: `#/definitions/${name}`, definitions }));
    }
  }
  return files;
}

/** The file name that kubeconform uses for a kind: `deployment-apps-v1.json`, `ingress-networking-v1.json`. */
export function fileName({ group, version, kind }: GroupVersionKind): string {
  const groupPart = group ? `-${group.split('.')[0]}` : '';
  return `${kind.toLowerCase()}${groupPart}-${version}.json`;
}

/** Recursively disallows unknown fields in every object schema that lists its fields. */
function strict(schema: Schema): Schema {
  const result: Schema = { ...schema };
  const { properties, items, additionalProperties } = schema;
  if (isSchema(items)) result.items = strict(items);
  if (isSchema(additionalProperties)) result.additionalProperties = strict(additionalProperties);
  if (!isSchema(properties)) return result;
  // Field names are not keywords, even when they look like one.
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    isSchema(field) ? strict(field) : field,
  ]);
  result.properties = Object.fromEntries(fields);
  const isOpen =
    additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (!isOpen) result.additionalProperties = false;
  return result;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
