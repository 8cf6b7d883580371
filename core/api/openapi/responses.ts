import { compact } from '../../lib/compact.ts';
import { type ErrorReason, errorTable } from '../../lib/errors.ts';
import { errorStatuses, type Operation } from '../operations/operation.ts';
import { type JsonSchema, jsonSchemaOf } from './schemas.ts';

const requestId = { 'X-Request-ID': { $ref: '#/components/headers/XRequestID' } };
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

export const headers = {
  XRequestID: header('Names this request in logs; the caller’s own when it sent one.', { type: 'string' }),
  RetryAfter: header('Seconds to wait before the same request is sent again.', {
    type: 'integer',
    minimum: 0,
  }),
  ETag: header('Revision of the object, for If-Match.', { type: 'string' }),
  Location: header('Path of the new object.', { type: 'string' }),
};

function header(description: string, schema: JsonSchema) {
  return { description, schema };
}

const meanings: Record<ErrorReason, string> = {
  BadRequest: 'The request is not valid; details names every wrong field.',
  Unauthorized: 'Credentials are missing or wrong.',
  Forbidden: 'The caller lacks the permission.',
  NotFound: 'There is no such object, or the caller may not see it.',
  MethodNotAllowed: 'The path has no such method.',
  Conflict: 'The object changed meanwhile, is in use, or exists already.',
  TooLarge: 'The body is too large.',
  UnsupportedMediaType: 'The body is not application/json.',
  TooManyRequests: 'Too many requests from this caller.',
  HeadersTooLarge: 'The path with its query, or the headers, are too large.',
  Internal: 'A fault of the service.',
  NotImplemented: 'Not yet available on this installation.',
  Unavailable: 'For the moment the service cannot answer.',
};

const reasons = Object.entries(errorTable) as [ErrorReason, { status: number; isRetryable: boolean }][];

/** What an error status is called. */
export function reasonOf(status: number): ErrorReason {
  return reasons.find(([, row]) => row.status === status)?.[0] ?? 'Internal';
}

/** What an error status means in this service. */
export function meaningOf(status: number): string {
  return meanings[reasonOf(status)];
}

/** One response for each reason; its example is an Error object. */
export function errorResponses(): Record<string, unknown> {
  return Object.fromEntries(
    reasons.map(([reason, { isRetryable }]) => [
      reason,
      {
        description: meanings[reason],
        headers: { ...requestId, ...(isRetryable ? retryAfter : {}) },
        content: json({ $ref: '#/components/schemas/Error' }, errorExample(reason)),
      },
    ]),
  );
}

function errorExample(reason: ErrorReason) {
  const details = [{ path: 'spec.chain.ethereum', message: 'required when spec.chain.type is Ethereum' }];
  const error = { kind: 'Error', reason, message: meanings[reason], requestId: '5f1c2a9e' };
  return reason === 'BadRequest' ? { ...error, details } : error;
}

/** All answers of an operation, by status. */
export function responsesOf(operation: Operation, example: unknown): Record<string, unknown> {
  const { status, schema, description } = operation.success;
  const success = {
    description,
    headers: { ...requestId, ...successHeaders(operation) },
    ...compact({ content: schema && json(jsonSchemaOf(schema), example) }),
  };
  const errors = errorStatuses(operation).map((code) => [
    code,
    { $ref: `#/components/responses/${reasonOf(code)}` },
  ]);
  return { [status]: success, ...Object.fromEntries(errors) };
}

function successHeaders({ success, path, method }: Operation) {
  const hasRevision = /^\/v1alpha1?\/(networks|workspaces)(\/\{id\})?$/.test(path) && method !== 'DELETE';
  const hasTag = hasRevision && (path.endsWith('{id}') || method === 'POST');
  return {
    ...(success.status === 201 ? { Location: { $ref: '#/components/headers/Location' } } : {}),
    ...(hasTag ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
  };
}

/** JSON content of a request or response. */
export function json(schema: JsonSchema, example?: unknown) {
  return { 'application/json': { schema, ...compact({ example }) } };
}
