import { isFollowed } from '../../../core/api/openapi/methodNames.ts';
import { componentSchemas, type JsonSchema, jsonSchemaOf } from '../../../core/api/openapi/schemas.ts';
import { documentedPath, type Operation } from '../../../core/api/operations/operation.ts';
import { type OperationId, operationOf } from '../../../core/api/operations/operations.ts';
import { typeText } from './typeText.ts';

/** What a generated method takes and answers, as texts of types. */
export interface Signature {
  id: OperationId;
  operation: Operation;
  path: string;
  /** Names of the parameters in the path. */
  params: string[];
  query?: NamedType;
  body?: NamedType;
  /** `void` without a body. */
  answer: NamedType;
  /** The type of one item, when the operation answers pages. */
  item?: string;
}

/** A type with a name of its own has its schema, because types.ts must declare it. */
interface NamedType {
  text: string;
  schema?: JsonSchema;
}

export function signatureOf(id: OperationId): Signature {
  const operation = operationOf(id);
  const { params, query, body, success } = operation;
  const hasQuery = query && !isFollowed(id) && Object.keys(query.shape).length > 0;
  const answer = success.schema
    ? named(sentSchema(jsonSchemaOf(success.schema)), `${capital(id)}Answer`)
    : { text: 'void' };
  return {
    id,
    operation,
    path: documentedPath(operation),
    params: Object.keys(params?.shape ?? {}),
    ...(hasQuery ? { query: named(jsonSchemaOf(query), `${capital(id)}Query`) } : {}),
    ...(body ? { body: named(jsonSchemaOf(body), `${capital(id)}Request`) } : {}),
    answer,
    ...itemOf(operation, answer),
  };
}

/** What a server-sent event has as JSON; any other schema as it is. */
function sentSchema(schema: JsonSchema): JsonSchema {
  const { properties }: ServerSentEvent = schema;
  return properties?.data?.contentSchema ?? schema;
}

interface ServerSentEvent {
  properties?: { data?: { contentSchema?: JsonSchema } };
}

/** A schema that is not a component gets a name if it has members. */
function named(schema: JsonSchema, name: string): NamedType {
  const isPlain = schema.$ref !== undefined || (schema.type !== 'object' && schema.type !== 'array');
  return isPlain ? { text: typeText(schema) } : { text: name, schema };
}

const components: Record<string, Page> = componentSchemas();

interface Page {
  properties?: Record<string, { items?: JsonSchema }>;
}

/** Pages have `items`, and `metadata.cursor` leads to the next one. */
function itemOf({ query }: Operation, answer: NamedType): { item?: string } {
  const items = components[answer.text]?.properties?.items?.items;
  return query?.shape.cursor && items ? { item: typeText(items) } : {};
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
