import { type OperationId, operationOf } from '../../../core/api/operations/operations.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { Log } from '../../../core/lib/log.ts';
import { currentSource } from '../limits/source.ts';
import type { Principal } from './principal.ts';

const maxObjectsLength = 2000;

export interface AuditedRequest {
  operationId: OperationId;
  /** Undefined if the caller needs no credentials. */
  principal: Principal | undefined;
  requestId: string;
  /** `ok`, or the reason of the Error. */
  outcome: string;
  /** The objects of the request; the path parameters if it failed. */
  objects: string[];
}

/** Whether requests of an operation are audited: mutations and reads of secrets. */
export function isAudited(operationId: OperationId): boolean {
  const { method, api, isRead } = operationOf(operationId);
  return !isRead && (method !== 'GET' || api === 'secret');
}

/**
 * Writes the audit line of a request that is audited. Its fields are ids and names, never values from a body.
 */
export function audit(log: Log, request: AuditedRequest): void {
  const { operationId, principal, requestId, outcome, objects } = request;
  log.info('audit', {
    audit: true,
    user: principal?.userId ?? 'anonymous',
    ...compact({ apiKey: principal?.keyId, session: principal?.sessionId }),
    ...compact({ workspace: principal?.workspaceId }),
    operation: operationId,
    objects: objects.join(', ').slice(0, maxObjectsLength),
    outcome,
    ...compact({ source: currentSource() || undefined }),
    requestId,
  });
}
