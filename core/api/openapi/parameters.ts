import type { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { type JsonSchema, jsonSchemaOf } from './schemas.ts';

/** Headers that requests may have. */
export const parameters = {
  XWorkspaceID: requestHeader(
    'X-Workspace-ID',
    'Id of another workspace of the caller. Defaults to the workspace of the API key.',
  ),
  XRequestID: requestHeader(
    'X-Request-ID',
    'Identifies this request in logs: 1 to 128 letters, digits, ".", "_", ":" and "-". Any other value is replaced by a generated one.',
  ),
  IdempotencyKey: requestHeader(
    'Idempotency-Key',
    'A repeated request with the same key and body gets the first response again; with another body, 409.',
  ),
  LastEventID: requestHeader(
    'Last-Event-ID',
    'The id of the last event that was received: the stream resumes after it.',
    1024,
  ),
  DryRun: requestHeader(
    'X-Dry-Run',
    'With "true", the request is checked alone: the answer is what would be stored, with an id of zeros if it is new, and nothing is. 400 at operations that have no such check.',
  ),
  IfMatch: requestHeader('If-Match', 'ETag that the object must still have; otherwise 409.'),
};

function requestHeader(name: string, description: string, maxLength = 255) {
  return { name, in: 'header', required: false, description, schema: { type: 'string', maxLength } };
}

/** All parameters of an operation: path, query and headers. */
export function parametersOf(operation: Operation): unknown[] {
  return [
    ...members(operation.params).map((row) => ({ ...row, in: 'path', required: true })),
    ...members(operation.query).map((row) => describeSelector(operation, { ...row, in: 'query' })),
    ...headerNames(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

interface Parameter {
  name: string;
  in?: string;
  required: boolean;
  description?: unknown;
  schema: JsonSchema;
}

function members(schema: z.ZodObject | undefined): Parameter[] {
  const shape: Record<string, z.core.$ZodType> = schema?.shape ?? {};
  const json: { required?: string[]; properties?: Record<string, JsonSchema> } = schema
    ? jsonSchemaOf(schema)
    : {};
  return Object.keys(shape).map((name) => {
    const { description, ...rest } = json.properties?.[name] ?? {};
    return { name, required: json.required?.includes(name) ?? false, description, schema: rest };
  });
}

function describeSelector({ selectable }: Operation, parameter: Parameter): Parameter {
  if (parameter.name !== 'selector' || !selectable) return parameter;
  const fields = selectable.join(', ');
  return { ...parameter, description: `${parameter.description} Selectable fields: ${fields}.` };
}

function headerNames(operation: Operation): string[] {
  return [
    ...(operation.permission === '' || operation.workspaceParam ? [] : ['XWorkspaceID']),
    'XRequestID',
    ...(operation.method === 'POST' && !operation.isRead ? ['IdempotencyKey'] : []),
    ...(operation.canDryRun ? ['DryRun'] : []),
    ...(operation.hasLastEventId ? ['LastEventID'] : []),
    ...(operation.comparesRevisions ? ['IfMatch'] : []),
  ];
}
