import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '../../../core/api/common.ts';
import type { AppError } from '../../../core/lib/errors.ts';
import { answerLast } from '../../http/pipeline/lastAnswer.ts';

/** An answer of the gateway itself. */
export interface Reply {
  status: number;
  body: string;
  retryAfterSeconds?: number | undefined;
  headers?: Record<string, string>;
  /** Whether to close the connection afterwards, because the rest of the request is not read. */
  isLast?: boolean;
}

const jsonType = 'application/json; charset=utf-8';

/** Headers of every answer. Browser wallets call from any origin; the URL itself grants access. */
export function commonHeaders(requestId: string): string[] {
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    'X-Request-ID, Retry-After',
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'X-Request-ID',
    requestId,
  ];
}

/** The API's Error object as an answer. `status` overrides the error's own where HTTP has a more specific one. */
export function errorReply(error: AppError, requestId: string, status: number = error.status): Reply {
  const body: ErrorBody = { kind: 'Error', reason: error.reason, message: error.message, requestId };
  return { status, body: JSON.stringify(body), retryAfterSeconds: error.retryAfterSeconds };
}

/** Answers over HTTP. Does nothing if the caller has disconnected; closes the connection if an answer has begun. */
export function sendReply(response: ServerResponse, reply: Reply, requestId: string): void {
  if (response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  response.writeHead(reply.status, headersOf(reply, requestId));
  response.end(reply.body);
}

/** Refuses an upgrade with an HTTP answer written to its raw socket. */
export function refuseUpgrade(socket: Duplex, reply: Reply, requestId: string): void {
  if (socket.destroyed) return;
  const fields = [...headersOf(reply, requestId), 'Connection', 'close'];
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`];
  for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`);
  answerLast(socket, `${lines.join('\r\n')}\r\n\r\n${reply.body}`);
}

/** Answers a CORS preflight request. */
export function sendPreflight(request: IncomingMessage, response: ServerResponse, methods: string): void {
  const asked = request.headers['access-control-request-headers'];
  response.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': asked && /^[\w\-, ]{1,512}$/.test(asked) ? asked : 'Content-Type',
    'Access-Control-Max-Age': '86400',
    Vary: 'Access-Control-Request-Headers',
  });
  response.end();
}

function headersOf(reply: Reply, requestId: string): string[] {
  const headers = commonHeaders(requestId);
  if (reply.body !== '') headers.push('Content-Type', jsonType);
  headers.push('Content-Length', String(Buffer.byteLength(reply.body)));
  if (reply.retryAfterSeconds !== undefined) headers.push('Retry-After', String(reply.retryAfterSeconds));
  if (reply.isLast) headers.push('Connection', 'close');
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.push(name, value);
  return headers;
}
