import { z } from 'zod';
import type { Permission, publicAccess } from '../access/permissions.ts';
import { idSchema } from '../values.ts';

export type Api = 'network' | 'secret' | 'transaction' | 'workspace';

/** The prefix of each API behind the gateway; `path` follows it. */
export const gatewayPrefixes = {
  network: '/network',
  secret: '/network',
  transaction: '/transaction',
  workspace: '/workspace',
} as const satisfies Record<Api, string>;

/** One endpoint of the contract: routes, validation, OpenAPI and the reference are made from it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Direct path with `{name}` for each parameter. */
  path: string;
  api: Api;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  /** All query parameters, those of a list among them. */
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Largest body in bytes; `defaultBodyLimitBytes` when absent. */
  bodyLimitBytes?: number;
  success: { status: number; schema?: z.ZodType; description: string };
  /** Error statuses of its own; `errorStatuses` adds those that follow from its form. */
  errors: readonly number[];
  permission: Permission | typeof publicAccess;
  /** Public, but a caller who sends credentials is known by them, and needs this permission. */
  callerPermission?: Permission;
  /** The parameter that names the workspace to act in; without one it is X-Workspace-ID, or the key's own. */
  workspaceParam?: string;
  /** Fields that `selector` may name. */
  selectable?: readonly string[];
  /** Whether limit, cursor and selector apply. */
  listQuery?: boolean;
}

export const defaultBodyLimitBytes = 1024 * 1024;
export const replayBodyLimitBytes = 32 * 1024 * 1024;

export const defaultPageSize = 50;
export const maxPageSize = 500;

/** Query of every list. */
export const listQuerySchema = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxPageSize)
    .optional()
    .describe(`Most items on a page; ${defaultPageSize} when absent.`),
  cursor: z.string().max(4096).optional().describe('metadata.cursor of the page before.'),
  selector: z
    .string()
    .max(4096)
    .optional()
    .describe('Narrows the list: field == value, field != value, field IN (value, value), joined by &&.'),
});
export type ListQuery = z.infer<typeof listQuerySchema>;

export const idParams = z.object({ id: idSchema.describe('Id of the object.') });

/** 400 for a query that it does not take, 405 for another method at its path, 431 for too long a query or header. */
const everyOperation = [400, 405, 429, 431, 500, 503];
/** 404 for a workspace, by X-Workspace-ID or in the path, that the caller is no member of. */
const withCredentials = [401, 403, 404];
const withBody = [413, 415];

/**
 * Every error status that `operation` may answer, in order. Beside its own and those of every operation: 401, 403
 * and 404 where callers are known, 413 and 415 for a body, 409 for an Idempotency-Key used twice.
 */
export function errorStatuses(operation: Operation): number[] {
  const statuses = new Set([...operation.errors, ...everyOperation]);
  const isCallerKnown = operation.permission !== '' || operation.callerPermission !== undefined;
  if (isCallerKnown) for (const status of withCredentials) statuses.add(status);
  if (operation.body) for (const status of withBody) statuses.add(status);
  if (operation.method === 'POST') statuses.add(409);
  return [...statuses].sort((a, b) => a - b);
}

/**
 * Where the contract gives the operation: networks and secrets directly, the others behind their gateway prefix.
 * Networks and secrets are reached under their prefix as well.
 */
export function documentedPath({ api, path }: Operation): string {
  return api === 'network' || api === 'secret' ? path : `${gatewayPrefixes[api]}${path}`;
}
