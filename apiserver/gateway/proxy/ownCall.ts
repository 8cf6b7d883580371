import type { Admitted, GatewayCore } from '../core.ts';
import type { Exchange } from '../jsonrpc/jsonRpcCall.ts';
import type { CallOutcome } from '../metrics.ts';
import type { OwnPolicy } from '../policy/policy.ts';
import { notFound } from '../wake/readiness.ts';
import { type Body, readBody } from './body.ts';
import { sendPreflight, sendReply } from './replies.ts';

/** Answers one request to a service that the process itself serves with the network's node. */
export async function answerOwn(
  core: GatewayCore,
  admitted: Admitted & { policy: OwnPolicy },
  { request, response }: Exchange,
): Promise<CallOutcome> {
  if (request.method === 'OPTIONS') {
    sendPreflight(request, response, 'GET, POST, OPTIONS');
    return 'ok';
  }
  const body = await readBody(core, admitted, request);
  if (!body) return 'aborted';
  let isKept = false;
  const keepBody = () => {
    isKept = true;
    return body.release;
  };
  try {
    return await answer(core, admitted, { request, response, body, keepBody });
  } finally {
    if (!isKept) body.release();
  }
}

async function answer(
  { deps, readiness, noteActivity, sourceOf }: GatewayCore,
  { networkUid, policy, rest, requestId, isCurrent }: Admitted & { policy: OwnPolicy },
  { request, response, body, keepBody }: Exchange & { body: Body; keepBody(): () => void },
): Promise<CallOutcome> {
  const answerIt = deps.ownServices?.get(policy.service);
  if (!answerIt) throw notFound();
  noteActivity(networkUid);
  const verdict =
    readiness.now(networkUid, policy.ports) ?? (await readiness.wait(networkUid, policy.ports, response));
  if (!verdict || response.destroyed) return 'aborted';
  if ('error' in verdict) throw verdict.error;
  if (!isCurrent()) throw notFound();
  const { status, body: answered } = await answerIt({
    source: sourceOf(request),
    networkUid,
    requestId,
    keepBody,
    take: body.take,
    upstream: verdict.upstream,
    method: request.method ?? 'GET',
    rest: policy.below + rest,
    body: body.bytes,
  });
  sendReply(response, { status, body: JSON.stringify(answered) }, requestId);
  return status < 400 ? 'ok' : status < 500 ? 'badRequest' : 'unavailable';
}
