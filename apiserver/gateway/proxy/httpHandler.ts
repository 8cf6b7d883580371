import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, isAppError, messageOf } from '../../../core/lib/errors.ts';
import { requestIdOf } from '../../http/pipeline/requestId.ts';
import { whenTaken } from '../../http/pipeline/send.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import { answerJsonRpc } from '../jsonrpc/jsonRpcCall.ts';
import type { CallOutcome } from '../metrics.ts';
import type { JsonRpcPolicy, PlainHttpPolicy } from '../policy/policy.ts';
import { rpcCodes, rpcError } from '../policy/screen.ts';
import { notFound } from '../wake/readiness.ts';
import { admit } from './admit.ts';
import { answerOwn } from './ownCall.ts';
import { answerPlain } from './plainCall.ts';
import { errorReply, type Reply, sendReply } from './replies.ts';
import { type Answered, traceRequests } from './traceRequest.ts';
import { answerUriCall } from './uriCall.ts';

/** Answers HTTP requests to gateway URLs. The promise resolves when the answer has been sent and never rejects. */
export function createHttpHandler(
  core: GatewayCore,
): (request: IncomingMessage, response: ServerResponse) => Promise<unknown> {
  return traceRequests(core.deps, createAnswer(core));
}

function createAnswer(core: GatewayCore) {
  const { clock, log } = core.deps;
  return async (request: IncomingMessage, response: ServerResponse): Promise<Answered> => {
    const startMs = clock.nowMs();
    const requestId = requestIdOf(request.headers['x-request-id']);
    let admitted: Admitted | undefined;
    let outcome: CallOutcome;
    let endTurn = () => {};
    try {
      // While this waits, the server reads the body that came with the head, so that it is here when it is asked for.
      admitted = await admit(core, request, requestId);
      if (!admitted) throw notFound();
      endTurn = await core.turns.begin(admitted);
      outcome = await answer(core, admitted, { request, response });
    } catch (thrown) {
      if (!isAppError(thrown))
        log.error('a call failed with an internal error', { requestId, error: messageOf(thrown) });
      const error = isAppError(thrown)
        ? thrown
        : new AppError('Internal', 'internal error: find it in the log by the request id');
      // The rest of any other body is read and discarded, and the connection stays open.
      const isLast = error.reason === 'TooLarge' || error.reason === 'RequestTimeout';
      sendReply(response, { ...replyTo(error, requestId), isLast }, requestId);
      outcome = outcomeOf(error);
    } finally {
      endTurn();
    }
    endUnread(core, admitted, response);
    core.metrics.request(admitted?.service ?? 'none', outcome, clock.nowMs() - startMs);
    return { admitted, outcome };
  };
}

/** A client that calls methods understands why its key has ended. */
function replyTo(error: AppError, requestId: string): Reply {
  if (error.reason !== 'Unauthorized') return errorReply(error, requestId);
  return { status: error.status, body: rpcError(undefined, rpcCodes.invalidRequest, error.message) };
}

/** What a caller does not take of an answer occupies memory of the network, though its node is done with it. */
function endUnread(
  { limits, memory }: GatewayCore,
  admitted: Admitted | undefined,
  response: ServerResponse,
): void {
  const isLeft = response.writableLength > 0 || !response.writableEnded;
  if (!isLeft) return;
  response.setTimeout(limits.idleMs, () => response.destroy());
  if (!admitted) return;
  const hold = memory.open('network', admitted.networkUid, admitted.workspace);
  whenTaken(response, hold.release);
  try {
    hold.take(response.writableLength);
  } catch {
    response.destroy();
  }
}

function answer(
  core: GatewayCore,
  admitted: Admitted,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<CallOutcome> {
  const { policy } = admitted;
  if (policy.kind === 'own') return answerOwn(core, { ...admitted, policy }, { request, response });
  if (isJsonRpc(admitted)) {
    const answerCall = isUriCall(admitted, admitted.policy, request) ? answerUriCall : answerJsonRpc;
    return answerCall(core, admitted, { request, response });
  }
  if (policy.kind === 'plainHttp' && !isOpenPath(admitted, policy, request)) throw notFound();
  return answerPlain(core, admitted, { request, response });
}

function isJsonRpc(admitted: Admitted): admitted is Admitted & { policy: JsonRpcPolicy } {
  return admitted.policy.kind === 'jsonRpc';
}

/** Nodes may resolve dots and escapes in a path in their own way, so such paths are refused if access depends on it. */
function isOpenPath(
  { rest, access }: Admitted,
  policy: PlainHttpPolicy,
  { method = '' }: IncomingMessage,
): boolean {
  if (!policy.pathAccess) return true;
  const [path = ''] = rest.split('?');
  if (!/^(\/[A-Za-z0-9_.:,-]+)+$/.test(path) || path.includes('..')) return false;
  const needed = policy.pathAccess(method === 'OPTIONS' ? 'GET' : method, path);
  return needed === 'public' || (needed === 'admin' && access === 'admin');
}

/** Whether a GET calls a method, named in the path, that the caller may use. */
function isUriCall({ rest, access }: Admitted, policy: JsonRpcPolicy, { method }: IncomingMessage): boolean {
  const name = /^\/([a-z_]{1,64})(?:\?|$)/.exec(rest)?.[1];
  if (!policy.hasUriCalls || !policy.hasHttp || method !== 'GET' || name === undefined) return false;
  const needed = policy.methodAccess(name);
  return needed === 'public' || (needed === 'admin' && access === 'admin');
}

/** How a request that was refused counts. */
export function outcomeOf(error: AppError): CallOutcome {
  if (error.reason === 'NotFound') return 'notFound';
  return error.status < 500 ? 'badRequest' : 'unavailable';
}
