import { compact } from '../../lib/compact.ts';
import { type ErrorReason, errorTable } from '../../lib/errors.ts';
import { errorStatuses, type Operation } from '../operations/operation.ts';
import { type JsonSchema, jsonSchemaOf } from './schemas.ts';

const requestId = { 'X-Request-ID': { $ref: '#/components/headers/XRequestID' } };
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

export const headers = {
  XRequestID: header('Identifies this request in logs; the one of the request when it had one.', {
    type: 'string',
  }),
  RetryAfter: header('Seconds to wait before retrying the request.', {
    type: 'integer',
    minimum: 0,
  }),
  ETag: header('Revision of the object, for If-Match.', { type: 'string' }),
  Location: header('Path of the new object.', { type: 'string' }),
  Warning: header(
    'A side effect of an accepted change, or what of a request has no effect: `299 - "text"` (RFC 7234). Absent if there is none.',
    {
      type: 'string',
    },
  ),
};

function header(description: string, schema: JsonSchema) {
  return { description, schema };
}

const meanings: Record<ErrorReason, string> = {
  BadRequest: 'The request is invalid; details lists the invalid fields (the first 100).',
  Unauthorized: 'Credentials are missing or invalid.',
  Forbidden: 'The caller lacks the permission.',
  NotFound: 'The object does not exist, or the caller may not see it.',
  MethodNotAllowed: 'The path does not support this method.',
  RequestTimeout: 'The body arrives too slowly.',
  Conflict: 'The object was modified concurrently, is in use, or already exists.',
  TooLarge: 'The body is too large.',
  UnsupportedMediaType: 'The body is not application/json.',
  TooManyRequests: 'Too many requests from this caller.',
  HeadersTooLarge: 'The path with its query, or the headers, is too large.',
  Internal: 'Internal error of the service.',
  NotImplemented: 'Not available on this installation.',
  Unavailable: 'The service is temporarily unavailable; retry.',
};

const reasons = Object.entries(errorTable) as [ErrorReason, { status: number; isRetryable: boolean }][];

/** The reason for an error status. */
export function reasonOf(status: number): ErrorReason {
  return reasons.find(([, row]) => row.status === status)?.[0] ?? 'Internal';
}

/** The meaning of an error status in this service. */
export function meaningOf(status: number): string {
  return meanings[reasonOf(status)];
}

/** Some conflicts pass, such as a request with the same Idempotency-Key that is still in progress. */
const passing: ErrorReason = 'Conflict';

/** One response per reason; its example is an Error object. */
export function errorResponses(): Record<string, unknown> {
  return Object.fromEntries(
    reasons.map(([reason, { isRetryable }]) => [
      reason,
      {
        description: meanings[reason],
        headers: { ...requestId, ...(isRetryable || reason === passing ? retryAfter : {}) },
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

/** All responses of an operation, by status. */
export function responsesOf(operation: Operation, example: unknown): Record<string, unknown> {
  const { status, schema, description, contentType } = operation.success;
  const success = {
    description,
    headers: { ...requestId, ...successHeaders(operation) },
    ...compact({ content: schema && contentOf(jsonSchemaOf(schema), { example, contentType }) }),
  };
  const errors = errorStatuses(operation).map((code) => [
    code,
    { $ref: `#/components/responses/${reasonOf(code)}` },
  ]);
  return { [status]: success, ...Object.fromEntries(errors) };
}

function successHeaders({ success, path, method, canWarn }: Operation) {
  const hasRevision =
    /^\/v1alpha1?\/(networks|secrets|workspaces)(\/\{id\})?$/.test(path) && method !== 'DELETE';
  const hasTag = hasRevision && (path.endsWith('{id}') || method === 'POST');
  return {
    ...(success.status === 201 ? { Location: { $ref: '#/components/headers/Location' } } : {}),
    ...(hasTag ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    ...(canWarn ? { Warning: { $ref: '#/components/headers/Warning' } } : {}),
  };
}

/** JSON content of a request or response. */
export function json(schema: JsonSchema, example?: unknown) {
  return contentOf(schema, { example });
}

interface Content {
  example?: unknown;
  contentType?: string | undefined;
}

function contentOf(schema: JsonSchema, { example, contentType = 'application/json' }: Content) {
  return { [contentType]: { schema, ...compact({ example }) } };
}
