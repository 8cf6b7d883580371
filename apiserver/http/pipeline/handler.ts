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
import type { Charge } from '../limits/price.ts';

/** Undefined for a public operation whose callers cannot send credentials. */
type CallerOf<Id extends OperationId> = (typeof operations)[Id]['permission'] extends typeof publicAccess
  ? (typeof operations)[Id] extends { callerPermission: string }
    ? Principal | undefined
    : undefined
  : Principal;

/** A request that passed authentication, authorization and validation. */
export interface Call<Id extends OperationId> {
  principal: CallerOf<Id>;
  /** Resolves once `principal` is known to be right, before the handler begins unless its operation begins early. */
  confirmed: Promise<unknown>;
  params: ParamsOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  ifMatch: string | undefined;
  lastEventId: string | undefined;
  /** Whether nothing may be stored: the answer is what would be. */
  isDryRun: boolean;
  /** New random bytes; the same ones if the request is repeated with its Idempotency-Key. */
  random: RandomBytes;
  /** Set if the request has an Idempotency-Key: marks the objects that the request creates as its own. */
  idempotencyMark: string | undefined;
  /** Whether an earlier attempt at the same request was interrupted, so that parts of it may be done. */
  isRepeated: boolean;
  /** Counts what an answer costs beyond one request, such as the objects that are read for it. */
  charge: Charge;
  requestId: string;
  /** The cookies of the request, as they came. */
  cookies: string | undefined;
  /** The program that the caller uses, as it names itself. */
  userAgent: string | undefined;
  log: Log;
}

/**
 * A successful answer; its status is the one of the operation. `stream` yields parts of a JSON text, one at a time as
 * the client takes them, so that an answer of any size is never in memory as a whole. It is not kept for a repeated
 * request with the same Idempotency-Key: the handler runs again, and must do nothing twice. `text` is plain text, sent
 * as it comes; its iterator is returned as soon as the client is gone, even while it is waiting for the next part. A
 * text that `isEndless` is no longer counted as a request in progress: its handler counts it.
 */
export type Reply<Body> =
  | WholeReply<Body>
  | (ReplyHead & { stream: AsyncIterable<string> })
  | (ReplyHead & { text: AsyncIterable<string>; isEndless?: true; idleMs?: number });

/** An answer that is in memory. */
export type WholeReply<Body> = ReplyHead & ({ body: Body } | { json: string | Buffer });

interface ReplyHead {
  /** Direct path of the created object. */
  location?: string;
  etag?: string;
  /** The value of Set-Cookie, or several. */
  cookie?: string | string[];
  /** What the caller should know about a change that was accepted; sent as the header Warning. */
  warning?: string | undefined;
  /** Objects for the audit line: `kind name (id)`, several for a list. */
  objects?: string[];
}

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Reply<AnswerOf<Id>>>;

/** Handlers of a subset of the operations. */
export type Handlers = { [Id in OperationId]?: Handler<Id> };

/** Handlers of all operations: if one is missing, the service does not compile. */
export type AllHandlers = Required<Handlers>;
