import type { RandomBytes } from '../../../core/accounts/ids.ts';
import type { publicAccess } from '../../../core/api/access/permissions.ts';
import type {
  AnswerOf,
  BodyOf,
  OperationId,
  operations,
  ParamsOf,
  QueryOf,
} from '../../../core/api/operations/operations.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Principal } from '../auth/principal.ts';

/** Undefined for a public operation whose callers cannot send credentials. */
type CallerOf<Id extends OperationId> = (typeof operations)[Id]['permission'] extends typeof publicAccess
  ? (typeof operations)[Id] extends { callerPermission: string }
    ? Principal | undefined
    : undefined
  : Principal;

/** A request that passed authentication, authorization and validation. */
export interface Call<Id extends OperationId> {
  principal: CallerOf<Id>;
  params: ParamsOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  ifMatch: string | undefined;
  /** New random bytes; the same ones if the request is repeated with its Idempotency-Key. */
  random: RandomBytes;
  /** Set if the request has an Idempotency-Key: marks the objects that the request creates as its own. */
  idempotencyMark: string | undefined;
  /** Whether an earlier attempt at the same request was interrupted, so that parts of it may be done. */
  isRepeated: boolean;
  requestId: string;
  log: Log;
}

/** A successful answer; its status is the one of the operation. */
export type Reply<Body> = ({ body: Body } | { json: string | Buffer }) & {
  /** Direct path of the created object. */
  location?: string;
  etag?: string;
  /** What the caller should know about a change that was accepted; sent as the header Warning. */
  warning?: string | undefined;
  /** Objects for the audit line: `kind name (id)`, several for a list. */
  objects?: string[];
};

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Reply<AnswerOf<Id>>>;

/** Handlers of a subset of the operations. */
export type Handlers = { [Id in OperationId]?: Handler<Id> };

/** Handlers of all operations: if one is missing, the service does not compile. */
export type AllHandlers = Required<Handlers>;
