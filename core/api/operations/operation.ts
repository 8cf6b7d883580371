import { z } from 'zod';
import type { Permission, publicAccess } from '../access/permissions.ts';
import { queryNumber, selectorSchema } from '../common.ts';
import { idSchema } from '../values.ts';

export type Api = 'network' | 'secret' | 'transaction' | 'workspace';

/** The prefix of each API behind the gateway; `path` follows it. */
export const gatewayPrefixes = {
  network: '/network',
  secret: '/network',
  transaction: '/transaction',
  workspace: '/workspace',
} as const satisfies Record<Api, string>;

/** One endpoint of the contract: routes, validation, OpenAPI and the reference derive from it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Direct path with `{name}` for each parameter. */
  path: string;
  api: Api;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  /** All query parameters, including those of a list. */
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Largest body in bytes; `defaultBodyLimitBytes` when absent. */
  bodyLimitBytes?: number;
  /** The body is JSON unless it says otherwise. */
  success: {
    status: number;
    schema?: z.ZodType;
    description: string;
    contentType?: 'text/plain' | 'text/event-stream';
  };
  /** Error statuses specific to the operation; `errorStatuses` adds the general ones. */
  errors: readonly number[];
  permission: Permission | typeof publicAccess;
  /** For a public operation: the permission that a caller who sends credentials needs. */
  callerPermission?: Permission;
  /** The parameter that names the workspace; when absent, X-Workspace-ID or the workspace of the key applies. */
  workspaceParam?: string;
  /** Fields that `selector` may name. */
  selectable?: readonly string[];
  /** Of those fields, where they are few: the values that objects have. A list warns of others. */
  selectableValues?: Readonly<Record<string, readonly string[]>>;
  /** Whether limit, cursor and selector apply. */
  listQuery?: boolean;
  /** A POST that changes nothing: not audited, and its Idempotency-Key has no effect. */
  isRead?: boolean;
  /** Whether its answer signs a browser in: refused to pages of others. */
  isSignIn?: boolean;
  /** Whether the header Last-Event-ID says where the answer begins. */
  hasLastEventId?: boolean;
  /** Whether the header If-Match names the revisions that may be replaced. */
  comparesRevisions?: boolean;
  /** Whether the header X-Dry-Run asks for a check alone. */
  canDryRun?: boolean;
  /** Whether the header Warning may name a side effect of an accepted request, or what has no effect. */
  canWarn?: boolean;
}

export const defaultBodyLimitBytes = 1024 * 1024;
export const replayBodyLimitBytes = 32 * 1024 * 1024;

export const maxPageSize = 500;

/** Query of every list. */
export const listQuerySchema = z.strictObject({
  limit: queryNumber({ min: 1 })
    .optional()
    .describe(
      `Maximum number of items on a page; a page may hold fewer. More than ${maxPageSize} means ${maxPageSize}. When absent, a page ends at a certain accumulated size.`,
    ),
  cursor: z.string().max(4096).optional().describe('metadata.cursor of the previous page.'),
  selector: selectorSchema.optional(),
});
export type ListQuery = z.infer<typeof listQuerySchema>;

export const idParams = z.object({ id: idSchema.describe('Id of the object.') });

/** 400 for an invalid query, 405 for another method on its path, 431 for a query or header that is too long. */
const everyOperation = [400, 405, 429, 431, 500, 503];
/** 404 for a workspace, in X-Workspace-ID or the path, that the caller is not a member of. */
const withCredentials = [401, 403, 404];
const withBody = [408, 413, 415];

/**
 * Every error status that `operation` may return, in order. In addition to its own and those of every operation: 401,
 * 403 and 404 with credentials, 408, 413 and 415 with a body, 409 for a reused Idempotency-Key.
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
 * The path of the operation in the contract: networks and secrets directly, the others behind their gateway prefix.
 * Networks and secrets are also served under their prefix.
 */
export function documentedPath({ api, path }: Operation): string {
  return api === 'network' || api === 'secret' ? path : `${gatewayPrefixes[api]}${path}`;
}
