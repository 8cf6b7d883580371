import { randomBytes } from 'node:crypto';
import type { RandomBytes } from '../../../core/accounts/ids.ts';
import type { OperationId } from '../../../core/api/operations/operations.ts';
import type { Principal } from '../auth/principal.ts';
import type { Reply } from '../pipeline/handler.ts';

/** A request, as far as it tells whether another one is the same. */
export interface OnceRequest {
  operationId: OperationId;
  principal: Principal | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
  /** The header as it came. */
  idempotencyKey: string | string[] | undefined;
}

/** What a handler makes its ids and secrets from, and marks its objects with. */
export interface Identity {
  random: RandomBytes;
  idempotencyMark: string | undefined;
  /** Whether an earlier attempt at the same request was cut off. */
  isRepeated: boolean;
}

/** Runs `work`, once for all requests that are the same; those that come later get the first answer. */
export type Once = (
  request: OnceRequest,
  work: (identity: Identity) => Promise<Reply<unknown>>,
) => Promise<Reply<unknown>>;

/** Every request is a new one. */
export const onceWithoutRecord: Once = (_request, work) =>
  work({ random: (_purpose, length) => randomBytes(length), idempotencyMark: undefined, isRepeated: false });
