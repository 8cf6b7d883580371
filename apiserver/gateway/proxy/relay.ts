import type { ServerResponse } from 'node:http';
import { AppError, isAppError, messageOf } from '../../../core/lib/errors.ts';
import { childSpan, type SpanStart } from '../../../core/tracing/spans.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { CallOutcome } from '../metrics.ts';
import { isUnread } from '../nodes/connection.ts';
import type { NodeRequest } from '../nodes/requestText.ts';
import { notFound, type Verdict } from '../wake/readiness.ts';
import type { ForwardResult, Receiver } from './forward.ts';
import { type Reply, sendReply } from './replies.ts';

/** A request that may be sent to the node of its network. */
interface Relay {
  request: Omit<NodeRequest, 'upstream'>;
  receiver: Receiver;
  isRepeatable: boolean;
  /** Why it cannot be sent, if that is known already: nothing waits once more. */
  refused?: AppError | undefined;
  /** Which JSON-RPC method is called, and how many calls there are. */
  about?: { method?: string; calls: number };
  /** Expresses a failure in the service's protocol. */
  failure(error: AppError, status: number): Reply;
}

type Call = Relay & { response: ServerResponse };
type Failed = Exclude<ForwardResult, { isOk: true }>;

/** How long the second attempt waits for a change of a node that could not be reached. */
const secondTryMs = 500;

/** Sends a request to its node, waking it and waiting for it where needed, and streams the answer back. */
export async function relay(core: GatewayCore, admitted: Admitted, call: Call): Promise<CallOutcome> {
  const first = await attempt(core, admitted, call);
  if (typeof first === 'string') return first;
  const isLost = first.hasBegun || isAppError(first.error) || (first.wasSent && !call.isRepeatable);
  if (isLost) return giveUp(core, admitted, { call, failed: first });
  const refusal = await core.readiness.nextChange(admitted.networkUid, secondTryMs);
  if (refusal) return giveUp(core, admitted, { call, failed: first });
  const second = await attempt(core, admitted, call);
  return typeof second === 'string' ? second : giveUp(core, admitted, { call, failed: second });
}

const held = { name: 'hold', kind: 'internal' } as const;

/** Where to send the calls of a caller, once the network has a node; undefined if the caller has gone. */
export async function whenReady(
  { readiness }: Pick<GatewayCore, 'readiness'>,
  { networkUid, policy, isCurrent }: Pick<Admitted, 'networkUid' | 'policy' | 'isCurrent'>,
  response: ServerResponse,
): Promise<Verdict | undefined> {
  const verdict =
    readiness.now(networkUid, policy.ports) ??
    (await childSpan(held, () => readiness.wait(networkUid, policy.ports, response)));
  if (!verdict || response.destroyed) return undefined;
  return 'error' in verdict || isCurrent() ? verdict : { error: notFound() };
}

/** A method that the policy lets pass; never its parameters. */
function spanOf(about: Relay['about']): SpanStart {
  if (!about) return { name: 'forward', kind: 'client' };
  const { method, calls } = about;
  const attributes = { 'rpc.system': 'jsonrpc', 'rpc.method': method, 'slipway.count': calls };
  return { name: 'forward', kind: 'client', attributes };
}

async function attempt(
  core: GatewayCore,
  admitted: Admitted,
  { response, request, receiver, failure, about, refused }: Call,
): Promise<CallOutcome | Failed> {
  const verdict = refused ? { error: refused } : await whenReady(core, admitted, response);
  if (!verdict) return 'aborted';
  if ('error' in verdict) {
    const { error } = verdict;
    sendReply(response, failure(error, error.status), admitted.requestId);
    return error.reason === 'NotFound' ? 'notFound' : 'unavailable';
  }
  const { method, path, headers, body } = request;
  const sent = { upstream: verdict.upstream, method, path, headers, body };
  const result = await childSpan(spanOf(about), async (span) => {
    const forwarded = await core.forward(sent, receiver, response);
    if (!forwarded.isOk) span.fail('NodeFailed');
    return forwarded;
  });
  if (result.isOk) return 'ok';
  return response.destroyed && !result.hasBegun ? 'aborted' : result;
}

interface GivenUp {
  call: Call;
  failed: Failed;
}

function giveUp(core: GatewayCore, admitted: Admitted, { call, failed }: GivenUp): CallOutcome {
  const { response } = call;
  if (isUnread(failed.error)) response.destroy();
  if (response.destroyed) return 'aborted';
  core.warn(admitted.networkUid, 'a node failed to answer', messageOf(failed.error));
  const { status, error } = describe(failed);
  // The head has been sent: closing the connection is the only way to signal that the answer is incomplete.
  if (failed.hasBegun) response.destroy();
  if (!failed.hasBegun) sendReply(response, call.failure(error, status), admitted.requestId);
  return 'nodeFailed';
}

function describe({ error, wasSent }: Failed): { status: number; error: AppError } {
  if (isAppError(error)) return { status: error.retryAfterSeconds === undefined ? 502 : error.status, error };
  if (!wasSent) {
    const text = 'the node is temporarily unreachable; retry';
    return { status: 503, error: new AppError('Unavailable', text, { retryAfterSeconds: 1 }) };
  }
  if (/Timeout/.test(error.name)) {
    return {
      status: 504,
      error: new AppError('Unavailable', 'the node did not answer in time; the call may have taken effect'),
    };
  }
  const text = 'the node closed the connection before it answered in full; the call may have taken effect';
  return { status: 502, error: new AppError('Unavailable', text) };
}
