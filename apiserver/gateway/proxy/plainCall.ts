import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../core/lib/errors.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { Exchange } from '../jsonrpc/jsonRpcCall.ts';
import type { Outcome } from '../metrics.ts';
import { readBody } from './body.ts';
import { credentialsOf, hostFields, isOwnPath } from './hostHeaders.ts';
import { relay } from './relay.ts';
import { commonHeaders, errorReply, sendPreflight } from './replies.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** No other header is forwarded, except credentials to a service that signs its users in itself. */
const toNode = [
  'accept',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
];
const toCaller = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  // The result of a gRPC-Web call without a body.
  'grpc-message',
  'grpc-status',
  'last-modified',
];

/** Answers one request to a plain HTTP service: any path below it, any of the common methods. */
export async function answerPlain(
  core: GatewayCore,
  admitted: Admitted,
  { request, response }: Exchange,
): Promise<Outcome> {
  const method = methods.find((name) => name === request.method);
  if (!method) throw new AppError('MethodNotAllowed', `method not allowed; allowed: ${methods.join(', ')}`);
  if (method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
    sendPreflight(request, response, methods.join(', '));
    return 'ok';
  }
  const body = await readBody(core, admitted.networkUid, request);
  if (!body) return 'aborted';
  core.noteActivity(admitted.networkUid);
  const { rest, requestId } = admitted;
  try {
    return await relay(core, admitted, {
      response,
      isRepeatable: safeMethods.includes(method),
      request: {
        method,
        path: rest.startsWith('/') ? rest : `/${rest}`,
        headers: Object.fromEntries([
          ...pick(request.headers, toNode),
          ...(hasSignIn(admitted) ? credentialsOf(request.headers, admitted.isHosted) : []),
        ]),
        body: body.bytes.length > 0 ? body.bytes : undefined,
      },
      receiver: {
        start(status, headers) {
          const isRedirect = status >= 300 && status < 400 && status !== 304;
          if (isRedirect && !(admitted.isHosted && isOwnPath(headers.location))) {
            throw new AppError('Unavailable', 'the service answered with a redirect, which is not followed');
          }
          const own = admitted.isHosted ? hostFields(headers) : ['Content-Security-Policy', sandbox];
          const fields = [...commonHeaders(requestId), ...own];
          for (const [name, value] of pick(headers, toCaller)) fields.push(name, value);
          response.writeHead(status, fields);
          return response;
        },
      },
      failure: (error, status) => errorReply(error, requestId, status),
    });
  } finally {
    body.release();
  }
}

/** A page that an engine serves shares the API's origin, but must not act as a page of the API. */
const sandbox = 'sandbox allow-scripts allow-forms allow-popups';

function hasSignIn({ policy }: Admitted): boolean {
  return policy.kind === 'plainHttp' && policy.hasSignIn === true;
}

function pick(headers: IncomingHttpHeaders, names: string[]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
}
