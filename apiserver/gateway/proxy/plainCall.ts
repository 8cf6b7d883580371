import { AppError } from '../../../core/lib/errors.ts';
import { isWork, type NodeWork, noWork } from '../../http/limits/nodeWork.ts';
import { recordOfUriCall } from '../calls/openRecord.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { Exchange } from '../jsonrpc/jsonRpcCall.ts';
import type { CallOutcome } from '../metrics.ts';
import { type Body, behindBytes, readBody } from './body.ts';
import { beginWork, type NodeRoom } from './nodeRoom.ts';
import {
  credentialsOnHost,
  headersToCaller,
  headersToService,
  hostFields,
  isOwnPath,
} from './plainHeaders.ts';
import { relay } from './relay.ts';
import { commonHeaders, errorReply, sendPreflight } from './replies.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Answers one request to a plain HTTP service: any path below it, any of the common methods. */
export async function answerPlain(
  core: GatewayCore,
  admitted: Admitted,
  { request, response, work = noWork }: Exchange & { work?: NodeWork },
): Promise<CallOutcome> {
  const method = methods.find((name) => name === request.method);
  if (!method) throw new AppError('MethodNotAllowed', `method not allowed; allowed: ${methods.join(', ')}`);
  if (method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
    sendPreflight(request, response, methods.join(', '));
    return 'ok';
  }
  const body = await readBody(core, admitted, request);
  if (!body) return 'aborted';
  let room: NodeRoom = {};
  try {
    // A body that comes slowly keeps no room from others.
    if (isWork(work)) room = await beginWork(core, admitted, { work, response });
    room.place?.endInTime(core.limits.idleMs, () => response.destroy());
    return await relayPlain(core, admitted, { request, response, method, body, room });
  } finally {
    room.place?.end();
    body.release();
  }
}

type Method = (typeof methods)[number];
type PlainCall = Exchange & { method: Method; body: Body; room: NodeRoom };

function relayPlain(
  core: GatewayCore,
  admitted: Admitted,
  { request, response, method, body, room }: PlainCall,
): Promise<CallOutcome> {
  const record = recordOfUriCall(core, admitted, response);
  core.noteActivity(admitted.networkUid);
  core.countCalls(admitted.networkUid, 1);
  const { rest, requestId, policy, isHosted } = admitted;
  const kind = { isApplication: policy.kind === 'plainHttp' && policy.isApplication === true };
  const prefix = (request.url ?? '').slice(0, (request.url ?? '').length - rest.length);
  return relay(core, admitted, {
    response,
    isRepeatable: safeMethods.includes(method),
    refused: room.refused,
    request: {
      method,
      path: rest.startsWith('/') ? rest : `/${rest}`,
      headers: headersToService(isHosted ? credentialsOnHost(request.headers) : request.headers, kind),
      body: body.bytes.length > 0 ? body.bytes : undefined,
    },
    receiver: {
      goesOn: room.place !== undefined,
      start(status, headers) {
        const isRedirect = status >= 300 && status < 400 && status !== 304;
        if (isRedirect && !(isHosted && isOwnPath(headers.location))) {
          throw new AppError('Unavailable', 'the service answered with a redirect, which is not followed');
        }
        const own = isHosted ? hostFields(headers) : ['Content-Security-Policy', sandbox];
        const given = headersToCaller(headers, isHosted ? { prefix } : { ...kind, prefix });
        const fields = [...commonHeaders(requestId), ...own, ...given.flat()];
        response.writeHead(status, fields);
        return record?.through(response) ?? response;
      },
      fallBehind: () => body.take(behindBytes),
    },
    failure: (error, status) => {
      record?.fail(error.message);
      return errorReply(error, requestId, status);
    },
  });
}

/** A page that an engine serves shares the API's origin, but must not act as a page of the API. */
const sandbox = 'sandbox allow-scripts allow-forms allow-popups';
