import { randomBytes } from 'node:crypto';
import type { RandomBytes } from '../../../core/accounts/ids.ts';
import type { OperationId } from '../../../core/api/operations/operations.ts';
import type { Principal } from '../auth/principal.ts';
import type { Reply } from '../pipeline/handler.ts';

/** The parts of a request that decide whether another request is the same. */
export interface OnceRequest {
  operationId: OperationId;
  principal: Principal | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
  /** The header as received. */
  idempotencyKey: string | string[] | undefined;
}

/** The source of a handler's ids and secrets, and the mark of its objects. */
export interface Identity {
  random: RandomBytes;
  idempotencyMark: string | undefined;
  /** Whether an earlier attempt at the same request was interrupted. */
  isRepeated: boolean;
}

/** Runs `work` once for all identical requests; later ones get the first answer. */
export type Once = (
  request: OnceRequest,
  work: (identity: Identity) => Promise<Reply<unknown>>,
) => Promise<Reply<unknown>>;

/** Treats every request as a new one. */
export const onceWithoutRecord: Once = (_request, work) =>
  work({ random: (_purpose, length) => randomBytes(length), idempotencyMark: undefined, isRepeated: false });
