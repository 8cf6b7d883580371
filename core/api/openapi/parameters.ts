import type { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { type JsonSchema, jsonSchemaOf } from './schemas.ts';

/** Headers that requests may carry. */
export const parameters = {
  XWorkspaceID: requestHeader(
    'X-Workspace-ID',
    'Another workspace of the caller. Absent: the workspace of the API key.',
  ),
  XRequestID: requestHeader('X-Request-ID', 'Names this request in logs.'),
  IdempotencyKey: requestHeader(
    'Idempotency-Key',
    'A request repeated with the same key and body gets the first answer again; with another body, 409.',
  ),
  IfMatch: requestHeader('If-Match', 'ETag that the object must still have; else 409.'),
};

function requestHeader(name: string, description: string) {
  return { name, in: 'header', required: false, description, schema: { type: 'string', maxLength: 255 } };
}

/** Every parameter of an operation: of its path, its query and its headers. */
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
  const hasRevision = ['/v1alpha/networks/{id}', '/v1alpha1/workspaces/{id}'].includes(operation.path);
  return [
    ...(operation.permission === '' || operation.workspaceParam ? [] : ['XWorkspaceID']),
    'XRequestID',
    ...(operation.method === 'POST' ? ['IdempotencyKey'] : []),
    ...(hasRevision && operation.method === 'PUT' ? ['IfMatch'] : []),
  ];
}
