import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { AppError, messageOf } from '../../../core/lib/errors.ts';
import { isWork } from '../../http/limits/nodeWork.ts';
import type { CallRecord } from '../calls/callRecord.ts';
import { recordOfRequest, screeningOf } from '../calls/openRecord.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { CallOutcome } from '../metrics.ts';
import { jsonHeaders } from '../nodes/requestText.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { failureText, rpcCodes, type Screened, screen } from '../policy/screen.ts';
import { type Body, behindBytes, readBody } from '../proxy/body.ts';
import { beginWork, type NodeRoom } from '../proxy/nodeRoom.ts';
import { relay, whenReady } from '../proxy/relay.ts';
import { commonHeaders, errorReply, type Reply, sendPreflight, sendReply } from '../proxy/replies.ts';
import { isBareRest } from '../route.ts';
import { notFound } from '../wake/readiness.ts';
import { createScrub } from './scrub.ts';
import { createSplice } from './splice.ts';
import { through } from './through.ts';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers one HTTP request to a JSON-RPC service. */
export async function answerJsonRpc(
  core: GatewayCore,
  admitted: Admitted & { policy: JsonRpcPolicy },
  { request, response }: Exchange,
): Promise<CallOutcome> {
  if (!isBareRest(admitted.rest)) throw notFound();
  if (request.method === 'OPTIONS') {
    sendPreflight(request, response, 'POST, OPTIONS');
    return 'ok';
  }
  if (request.method !== 'POST' || !admitted.policy.hasHttp) {
    return refuseMethod(admitted, response);
  }
  const receiving = readBody(core, admitted, request);
  const body = receiving instanceof Promise ? await receiving : receiving;
  if (!body) return 'aborted';
  const record = recordOfRequest(core, admitted, response);
  try {
    core.noteActivity(admitted.networkUid);
    const of = { ...admitted, bytes: body.bytes.length };
    const reading = core.readInTurn(of, () => screen(body.bytes, screeningOf(admitted, record)));
    const asked = reading instanceof Promise ? await reading : reading;
    return await answerCalls(core, admitted, { asked, response, body, record });
  } catch (error) {
    record?.fail(messageOf(error));
    throw error;
  } finally {
    body.release();
  }
}

/** The calls of a message, with where their answers go. */
interface Answering {
  asked: Screened;
  response: ServerResponse;
  body: Body;
  /** Undefined while nobody wants to know them. */
  record: CallRecord | undefined;
}

/** How long a caller may keep room in the node that others wait for, by taking an answer more slowly than the node sends it. */
const behindMs = 30_000;

async function answerCalls(
  core: GatewayCore,
  admitted: Admitted,
  answering: Answering,
): Promise<CallOutcome> {
  const { asked, response } = answering;
  const asksNode = isWork(asked.work) || asked.steps.length > 0;
  const room = asksNode ? await beginWork(core, admitted, { work: asked.work, response }) : {};
  try {
    takeKept(core, admitted, asked);
    core.countCalls(admitted.networkUid, asked.calls);
    if (asked.blockUses.has('control')) core.confirmations.noteControl(admitted.networkUid);
    const isSplit = asked.steps.length > 0 && !room.refused;
    const isAssisted = isSplit && (await assist(core, admitted, answering));
    if (asked.steps.length === 0 && asked.blockUses.size > 0) await beforePoll(core, admitted, asked);
    const outcome = isAssisted ? 'ok' : await forward(core, admitted, { ...answering, room });
    core.strandedTransactions.noteSent(admitted.networkUid, asked.transactions);
    return outcome;
  } finally {
    room.place?.end();
  }
}

/** Counts what calls leave in the node. Throws TooManyRequests when that is too much. */
export function takeKept(
  { kept }: Pick<GatewayCore, 'kept'>,
  { networkUid, key }: Pick<Admitted, 'networkUid' | 'key'>,
  screened: Pick<Screened, 'kept'>,
): void {
  if (screened.kept === 0) return;
  if (screened.kept > maxKeptPerMessage) throw tooManyKept();
  const caller = `${networkUid}/${key}`;
  kept.take(caller);
  kept.charge(caller, screened.kept - 1);
}

/** More would be a debt that keeps others waiting for a minute. */
const maxKeptPerMessage = 100;

function tooManyKept(): AppError {
  const message = `the batch creates more than ${maxKeptPerMessage} filters and subscriptions: send fewer`;
  return new AppError('TooManyRequests', message, { retryAfterSeconds: 1 });
}

/** Answers with what the gateway works out once the network has a node. False: the request is to be forwarded. */
async function assist(
  core: GatewayCore,
  admitted: Admitted,
  { asked, response, body, record }: Answering,
): Promise<boolean> {
  const verdict = await whenReady(core, admitted, response);
  // What is refused or gone by now is answered like any other call.
  if (!verdict || 'error' in verdict) return false;
  const caller = new AbortController();
  response.once('close', () => caller.abort());
  await beforePoll(core, admitted, asked);
  const { networkUid } = admitted;
  const noteDone = () => undefined;
  const own = await core.assistance({
    networkUid,
    screened: asked,
    signal: caller.signal,
    noteDone,
    take: body.take,
  });
  if (own === undefined) return false;
  sendReply(response, { status: 200, body: own }, admitted.requestId);
  record?.read(own);
  return true;
}

/** A chain that makes no blocks by itself has the one that a caller waits for before the caller is answered. */
async function beforePoll(core: GatewayCore, admitted: Admitted, { blockUses }: Screened): Promise<void> {
  if (blockUses.has('poll') && admitted.access === 'public')
    await core.confirmations.beforePoll(admitted.networkUid);
}

function forward(
  core: GatewayCore,
  admitted: Admitted,
  { asked: screened, response, body, record, room }: Answering & { room: NodeRoom },
): Promise<CallOutcome> {
  const { isRepeatable } = screened;
  const isFork = () => core.deps.networks.find(admitted.networkUid)?.isFork ?? false;
  const wasFork = isFork();
  if (!screened.forward) {
    sendReply(response, { status: 200, body: ownText(screened) }, admitted.requestId);
    return Promise.resolve('refused');
  }
  return relay(core, admitted, {
    response,
    isRepeatable,
    refused: room.refused,
    about: screened,
    // None of the caller's headers are forwarded: the node needs none, and some carry what the node must not see.
    request: { method: 'POST', path: '/', headers: jsonHeaders, body: screened.forward },
    receiver: {
      goesOn: isWork(screened.work),
      start: (status, headers) => {
        return begin(screened, response, { status, headers, admitted, isFork: wasFork || isFork(), record });
      },
      fallBehind: () => {
        body.take(behindBytes);
        room.place?.endInTime(behindMs, () => response.destroy());
      },
    },
    failure: (error, status) => {
      record?.fail(error.message);
      return failureOf(screened, error, status);
    },
  });
}

function failureOf(screened: Screened, error: AppError, status: number): Reply {
  const code = error.retryAfterSeconds ? rpcCodes.unavailable : rpcCodes.internal;
  return {
    status,
    body: failureText(screened, code, error.message),
    retryAfterSeconds: error.retryAfterSeconds,
  };
}

/** The gateway's own answer if no call is forwarded. */
export function ownText({ refusals, isBatch }: Screened): string {
  return isBatch ? `[${refusals.join(',')}]` : (refusals[0] ?? '');
}

interface NodeHead {
  status: number;
  headers: IncomingHttpHeaders;
  admitted: Admitted;
  isFork: boolean;
  record: CallRecord | undefined;
}

function begin(screened: Screened, response: ServerResponse, node: NodeHead): Writable {
  const { status, headers } = node;
  if (status >= 300 && status < 400)
    throw new AppError('Unavailable', 'the node answered with a redirect, which is not followed');
  const fields = commonHeaders(node.admitted.requestId);
  if (node.isFork && headers['content-encoding'] !== undefined) {
    throw new AppError('Unavailable', 'the node answered with a Content-Encoding that was not requested');
  }
  if (screened.refusals.length > 0) return beginSpliced(screened, response, node);
  // Scrubbing changes the length.
  const names = node.isFork
    ? (['content-type'] as const)
    : (['content-type', 'content-length', 'content-encoding'] as const);
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') fields.push(name, value);
  }
  response.writeHead(status, fields);
  const target = node.record?.through(response) ?? response;
  return node.isFork ? through(createScrub(), target) : target;
}

function beginSpliced(screened: Screened, response: ServerResponse, node: NodeHead): Writable {
  const hasEncoding = node.headers['content-encoding'] !== undefined;
  if (node.status >= 300 || hasEncoding) throw new AppError('Unavailable', 'the node refused the batch');
  response.writeHead(200, [...commonHeaders(node.admitted.requestId), 'Content-Type', 'application/json']);
  const splice = createSplice(screened.answers);
  through(splice, node.record?.through(response) ?? response);
  return node.isFork ? through(createScrub(), splice) : splice;
}

function refuseMethod({ policy, requestId }: Admitted, response: ServerResponse): CallOutcome {
  const isSocketOnly = policy.kind === 'jsonRpc' && !policy.hasHttp;
  const hint = isSocketOnly
    ? 'open a WebSocket at this URL'
    : 'send JSON-RPC calls with POST, or open a WebSocket';
  const error = new AppError('MethodNotAllowed', `this is a JSON-RPC endpoint: ${hint}`);
  const allow = isSocketOnly ? 'GET, OPTIONS' : 'POST, OPTIONS';
  sendReply(response, { ...errorReply(error, requestId), headers: { Allow: allow } }, requestId);
  return 'badRequest';
}
