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

/** Undefined for a public operation, unless its callers may send credentials. */
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
  /** New random bytes; the same ones when the request is repeated under its Idempotency-Key. */
  random: RandomBytes;
  /** Set when the request has an Idempotency-Key: what it creates carries this, and is its own by that. */
  idempotencyMark: string | undefined;
  /** Whether an earlier attempt at the same request was cut off, so that parts of it may be done. */
  isRepeated: boolean;
  requestId: string;
  log: Log;
}

/** A success; its status is the operation's own. */
export type Reply<Body> = ({ body: Body } | { json: string | Buffer }) & {
  /** Direct path of the object that was created. */
  location?: string;
  etag?: string;
  /** What the audit line names: `kind name (id)`, several of them for a list. */
  objects?: string[];
};

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Reply<AnswerOf<Id>>>;

/** Handlers of some operations. */
export type Handlers = { [Id in OperationId]?: Handler<Id> };

/** Without one of them, the service does not compile. */
export type AllHandlers = Required<Handlers>;
