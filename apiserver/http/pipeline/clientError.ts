import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../../../core/lib/errors.ts';
import { errorBody } from './errors.ts';
import { answerLast, isAnswered } from './lastAnswer.ts';
import { requestIdOf } from './requestId.ts';

/**
 * Answers with an Error object if Node's parser rejects a request; a listener for a server's clientError event. The
 * connection is closed, because it is unknown where the next request would begin.
 */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  // The rest of what was refused.
  if (isAnswered(socket) && error.code !== 'ECONNRESET') return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  refuseConnection(socket, refusalOf(error.code));
}

/** Answers a connection with an Error object, and closes it. */
export function refuseConnection(socket: Duplex, refusal: AppError): void {
  const requestId = requestIdOf(undefined);
  const body = JSON.stringify(errorBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
  ];
  answerLast(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function refusalOf(error: string | undefined): AppError {
  if (error === 'HPE_HEADER_OVERFLOW') {
    return new AppError('HeadersTooLarge', 'the request line and headers are too large: send at most 16 KiB');
  }
  if (error === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError(
      'RequestTimeout',
      'the request takes too long: send its headers within 10 s, all of it within 120 s',
    );
  }
  return new AppError('BadRequest', 'the request is not valid HTTP/1.1');
}
