import type { ServerResponse } from 'node:http';
import type { ErrorBody } from '../../../core/api/common.ts';
import { AppError, messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { sendJson } from './send.ts';

const defaultRetryAfterSeconds = 1;

/** The Error object of the API. */
export function errorBody(error: AppError, requestId: string): ErrorBody {
  return {
    kind: 'Error',
    reason: error.reason,
    message: error.message,
    requestId,
    ...(error.details.length > 0 ? { details: error.details } : {}),
  };
}

/** The AppError that a caller may see. An unexpected error becomes Internal, without its original text. */
export function toPublicError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isBadUrl(error))
    return new AppError('BadRequest', 'the path is not valid: its percent-encoding is malformed');
  return new AppError('Internal', 'internal error: find it in the log by the request id', {
    cause: error,
  });
}

/** Answers with the Error object, its status and the matching headers. */
export function sendError(response: ServerResponse, error: AppError, requestId: string): void {
  if (response.headersSent) return void response.destroy();
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="slipway"');
  const retryAfterSeconds =
    error.retryAfterSeconds ?? (error.isRetryable && !error.isLasting ? defaultRetryAfterSeconds : undefined);
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  sendJson(response, error.status, JSON.stringify(errorBody(error, requestId)));
}

/** Logs a failure that is not the caller's: a warning if it is retryable, else an error with its stack. */
export function logFailure(log: Log, error: AppError): void {
  if (error.status < 500) return;
  const { cause, reason } = error;
  const fields = { reason, cause: cause === undefined ? undefined : messageOf(cause) };
  if (error.isRetryable) return void log.warn(error.message, fields);
  log.error(error.message, { ...fields, stack: cause instanceof Error ? cause.stack : undefined });
}

/** The router throws this for a path such as `/%E0`. */
function isBadUrl(error: unknown): boolean {
  return error instanceof URIError;
}
