import type { Request, Response } from 'express';
import { publicAccess } from '../../../core/api/access/permissions.ts';
import type { Operation } from '../../../core/api/operations/operation.ts';
import { type OperationId, operationOf } from '../../../core/api/operations/operations.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { noTracer, type Tracer } from '../../../core/tracing/tracing.ts';
import { kindsReadBy } from '../../store/kindsRead.ts';
import type { ReadsAfterWrites } from '../../store/readsAfterWrites.ts';
import { type AuditedRequest, audit, isAudited } from '../auth/audit.ts';
import { type Authenticate, authorize, type Caller, hasApiKey, keyIdOf } from '../auth/auth.ts';
import { createFailedSignIns } from '../auth/failedSignIns.ts';
import type { Principal } from '../auth/principal.ts';
import { type Once, onceWithoutRecord } from '../idempotency/once.ts';
import { type Account, openAccount } from '../limits/account.ts';
import type { CallerLimits } from '../limits/callerLimits.ts';
import { type Charge, chargeAnswer, charged } from '../limits/price.ts';
import { impossibleValue } from '../paging/impossible.ts';
import { parseQuery } from '../paging/query.ts';
import { logFailure, sendError, toPublicError } from './errors.ts';
import type { AllHandlers, Reply } from './handler.ts';
import { parseBody } from './parseBody.ts';
import { sendJson, streamJson, streamText, whenTaken } from './send.ts';
import { type Ran, traceOperations } from './traceOperation.ts';

export interface RunnerDeps {
  handlers: AllHandlers;
  authenticate: Authenticate;
  /** Runs a request that has an Idempotency-Key; if absent, the header has no effect. */
  once?: Once;
  /** Keeps what callers did for the audit lists of workspaces. */
  recordAudit?: ((request: AuditedRequest) => void) | undefined;
  limits: CallerLimits;
  /** What any replica has acknowledged is in the caches when a handler begins. */
  reads: Pick<ReadsAfterWrites, 'catchUp' | 'acknowledge'>;
  /** Nothing is traced if absent. */
  tracer?: Tracer;
  log: Log;
}

export type Run = (id: OperationId, request: Request, response: Response) => Promise<void>;

/**
 * Runs one operation: authenticates, authorizes, validates the request and calls the handler. Every outcome is
 * answered here and, where required, audited.
 */
export function createRun(deps: RunnerDeps): Run {
  return traceOperations(deps.tracer ?? noTracer, createRunOnce(deps));
}

function createRunOnce(deps: RunnerDeps) {
  const failures = createFailedSignIns(deps.log, deps.limits.clock);
  return async (id: OperationId, request: Request, response: Response): Promise<Ran> => {
    const operation = operationOf(id);
    const requestId = String(response.getHeader('X-Request-ID'));
    const log = deps.log.with({ requestId, operation: id });
    let principal: Principal | undefined;
    let outcome = 'ok';
    let objects = Object.values(request.params).map(String);
    let account: Account | undefined;
    try {
      const caller = await callerOf(deps, operation, request);
      // Limits come first: whoever waits for an answer of the cluster counts.
      account = await openAccount(deps.limits, caller, request);
      const confirmed = confirm(deps, id, caller);
      let reply: Reply<unknown>;
      try {
        reply = await replyTo(deps, { id, request, requestId, log }, { caller, confirmed, account });
      } finally {
        // Whatever came of the request, a refusal of its caller is the answer.
        principal = await confirmed;
        checkPermission(operation, principal);
      }
      objects = reply.objects ?? objects;
      await sendReply(response, reply, {
        onEndless: account.release,
        charge: account.charge,
        status: operation.success.status,
        ...compact({ contentType: operation.success.contentType }),
        prefix: prefixOf(request, operation),
      });
    } catch (error) {
      const publicError = toPublicError(error);
      outcome = publicError.reason;
      logFailure(log, publicError);
      sendError(response, publicError, requestId);
    } finally {
      whenTaken(response, () => account?.release());
    }
    if (principal || outcome === 'ok') {
      if (!isDryRun(operation, request))
        noteAudited(deps, { operationId: id, principal, requestId, outcome, objects });
    } else if (isFailedSignIn(operation, outcome, request)) {
      const source = deps.limits.sourceOf(request);
      failures.note({ source, keyId: keyIdOf(request.headers), operation: id, outcome, requestId });
    }
    return { principal, outcome };
  };
}

interface Received {
  id: OperationId;
  request: Request;
  requestId: string;
  log: Log;
}

interface Admitted {
  /** Undefined for a public operation without credentials. */
  caller: Caller | undefined;
  confirmed: Promise<Principal | undefined>;
  account: Account;
}

/** Operations whose handlers begin before their caller is confirmed: they await `confirmed` before they write anything. */
const early: ReadonlySet<OperationId> = new Set(['submitTransactions']);

/** The answer of the handler. */
async function replyTo(deps: RunnerDeps, received: Received, admitted: Admitted): Promise<Reply<unknown>> {
  const { id, request, requestId, log } = received;
  const { caller, account } = admitted;
  const operation = operationOf(id);
  const confirmed = admitted.confirmed.then((principal) => {
    checkPermission(operation, principal);
    return principal;
  });
  confirmed.catch(() => undefined);
  const presumed = presumedIn(operation, caller);
  // A body is read only for a caller who may send it.
  if (caller && !presumed) await confirmed;
  refuseIfMatch(operation, request);
  const parts = await parseParts(operation, request, account);
  const { idempotencyKey, ...headers } = headersOf(request);
  const isTried = isTriedAlone(operation, request);
  const isKept = operation.method === 'POST' && !operation.isRead && !isTried;
  const once = (isKept && deps.once) || onceWithoutRecord;
  const hasRecord = idempotencyKey !== undefined && once !== onceWithoutRecord;
  if (hasRecord) account.takeKey();
  const isEarly = early.has(id) && presumed && !hasRecord;
  const principal = isEarly ? presumed : await confirmed;
  const handler = handlerOf(deps.handlers, id);
  const { charge } = account;
  const call = { ...parts, ...headers, isDryRun: isTried, principal, confirmed, charge, requestId, log };
  const reply = await once({ ...parts, operationId: id, principal, idempotencyKey }, (identity) =>
    acknowledged(deps, operation, handler({ ...call, ...identity })),
  );
  const warning = impossibleValue(operation, parts.query);
  return warning === undefined ? reply : { ...reply, warning };
}

/** The answer of a handler, once every replica can know what it has written. */
async function acknowledged<T>({ reads }: RunnerDeps, operation: Operation, answer: Promise<T>): Promise<T> {
  const reply = await answer;
  if (canWrite(operation)) await reads.acknowledge();
  return reply;
}

const canWrite = ({ method, isRead, isSignIn }: Operation) =>
  (method !== 'GET' && isRead !== true) || isSignIn === true;

/** Mutations and reads of secrets, whatever came of them. */
function noteAudited({ log, recordAudit }: RunnerDeps, request: AuditedRequest): void {
  if (!isAudited(request.operationId)) return;
  audit(log, request);
  recordAudit?.(request);
}

/** Wrong credentials, or a failed attempt to get some. Calls without any are noise. */
function isFailedSignIn(
  { method, permission, isSignIn }: Operation,
  outcome: string,
  { headers }: Request,
): boolean {
  if (outcome === 'Unauthorized') return isSignIn || hasApiKey(headers);
  return permission === publicAccess && method !== 'GET';
}

/** Whether a request only asks what would come of it. Whoever asks that where nothing answers it must not act. */
function isTriedAlone(operation: Operation, request: Request): boolean {
  const asked = request.headers['x-dry-run'];
  if (asked === undefined || asked === 'false') return false;
  if (isDryRun(operation, request)) return true;
  throw new AppError('BadRequest', 'X-Dry-Run: this operation cannot be tried alone, and nothing was done');
}

const isDryRun = ({ canDryRun = false }: Operation, { headers }: Request): boolean =>
  canDryRun && headers['x-dry-run'] === 'true';

/** Whoever sends the revision that they have seen must not delete another one. */
function refuseIfMatch(operation: Operation, { headers }: Request): void {
  const ifMatch = headers['if-match']?.trim() ?? '*';
  if (ifMatch === '*' || operation.method === 'GET' || operation.comparesRevisions) return;
  const message = 'If-Match: this operation does not compare revisions, and nothing was done: leave it out';
  throw new AppError('BadRequest', message);
}

/** The headers that concern handlers. */
function headersOf({ headers }: Request) {
  const { 'if-match': ifMatch, 'idempotency-key': idempotencyKey, 'user-agent': userAgent } = headers;
  return {
    ifMatch,
    idempotencyKey,
    userAgent,
    cookies: headers.cookie,
    lastEventId: headers['last-event-id']?.toString(),
  };
}

type AnyHandler = (call: object) => Promise<Reply<unknown>>;

/** The schemas that parse a call also define its type; the compiler cannot follow that. */
function handlerOf(handlers: AllHandlers, id: OperationId): AnyHandler {
  return handlers[id] as AnyHandler;
}

/** The caller; undefined for a public operation without credentials. */
async function callerOf(
  deps: RunnerDeps,
  operation: Operation,
  request: Request,
): Promise<Caller | undefined> {
  const { permission, callerPermission, workspaceParam, isSignIn } = operation;
  const { headers, params } = request;
  const { authenticate } = deps;
  if (isSignIn) authenticate.refuseOtherPages(request);
  if (permission === publicAccess && !(callerPermission && authenticate.hasCredentials(headers)))
    return undefined;
  return authenticate.caller(request, workspaceParam && String(params[workspaceParam]));
}

/** Asks what any replica has acknowledged, and who the caller is by that. */
function confirm(
  { reads }: RunnerDeps,
  id: OperationId,
  caller: Caller | undefined,
): Promise<Principal | undefined> {
  const kinds = kindsReadBy(id);
  const asked = async () => {
    if (caller) return caller.confirm(kinds);
    if (canWrite(operationOf(id))) await reads.catchUp(kinds);
    return undefined;
  };
  const confirmed = asked();
  // It is awaited later.
  confirmed.catch(() => undefined);
  return confirmed;
}

/** The caller as the caches show it, if it may do what it asks for. */
function presumedIn(operation: Operation, caller: Caller | undefined): Principal | undefined {
  const needed = permissionFor(operation);
  const presumed = caller?.presumed;
  return presumed && (!needed || presumed.permissions.has(needed)) ? presumed : undefined;
}

const permissionFor = ({ permission, callerPermission }: Operation) =>
  permission === publicAccess ? callerPermission : permission;

function checkPermission(operation: Operation, principal: Principal | undefined): void {
  const needed = permissionFor(operation);
  if (principal && needed) authorize(principal, needed);
}

async function parseParts(operation: Operation, request: Request, account: Account) {
  const params = operation.params?.safeParse(request.params);
  // No object has an id of this form.
  if (params && !params.success)
    throw new AppError('NotFound', 'the object was not found: check the id in the path');
  const [, search = ''] = request.url.split(/\?(.*)/s);
  const query = parseQuery(search, operation.query);
  if (!operation.body) return { params: params?.data, query, body: undefined };
  return {
    params: params?.data,
    query,
    body: await parseBody(operation.body, operation.bodyLimitBytes, { request, account }),
  };
}

interface ReplyOptions {
  status: number;
  contentType?: string;
  onEndless(): void;
  charge: Charge;
  /** The gateway prefix before the direct path, or an empty string. */
  prefix: string;
}

async function sendReply(response: Response, reply: Reply<unknown>, options: ReplyOptions): Promise<void> {
  const { status, contentType = 'text/plain', prefix, charge } = options;
  if (reply.location) response.setHeader('Location', `${prefix}${reply.location}`);
  if (reply.etag) response.setHeader('ETag', reply.etag);
  if (reply.cookie) response.setHeader('Set-Cookie', reply.cookie);
  if (reply.warning) response.setHeader('Warning', warningHeader(reply.warning));
  if ('isEndless' in reply) options.onEndless();
  if ('text' in reply)
    return streamText(response, { status, contentType, ...compact({ idleMs: reply.idleMs }) }, reply.text);
  if ('stream' in reply) return streamJson(response, status, charged(reply.stream, charge));
  const json = 'json' in reply ? reply.json : JSON.stringify(reply.body);
  if (json) chargeAnswer(charge, Buffer.byteLength(json));
  sendJson(response, status, status === 204 ? undefined : json);
}

/** RFC 7234, section 5.5: code 299, an unknown agent, and the text as a quoted string. */
function warningHeader(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`;
}

function prefixOf(request: Request, operation: Operation): string {
  const [, first = ''] = operation.path.split('/');
  return request.path.slice(0, request.path.indexOf(`/${first}/`));
}
