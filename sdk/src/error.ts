/** One invalid field of a request: its path (`spec.chain.type`), and what to do about it. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * Why a call failed. `reason` is the one that the service answered, such as `NotFound`, or one of the client:
 * `Unreachable` (no answer), `Timeout`, `InvalidAnswer`, `Redirected`, `NetworkError` (a network that was waited for
 * ended in state Error), `TransactionError` (a transaction that was waited for failed or was dropped). The list is open.
 */
export type ErrorReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Conflict'
  | 'TooLarge'
  | 'TooManyRequests'
  | 'Internal'
  | 'Unavailable'
  | 'Unreachable'
  | 'Timeout'
  | 'InvalidAnswer'
  | 'Redirected'
  | 'NetworkError'
  | 'TransactionError'
  | (string & {});

export interface ErrorFields {
  /** The HTTP status; 0 when there was no answer. */
  status?: number;
  reason: ErrorReason;
  details?: ErrorDetail[];
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** The error of every call that fails. It holds nothing of the request: no key, no body. */
export class SlipwayError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly reason: ErrorReason;
  /** Every invalid field, when the service named them. */
  readonly details: ErrorDetail[];
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? {} : { cause: fields.cause });
    this.name = 'SlipwayError';
    this.status = fields.status ?? 0;
    this.reason = fields.reason;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** Whether `error` is a SlipwayError, of `reason` when one is given. */
export function isSlipwayError(error: unknown, reason?: ErrorReason): error is SlipwayError {
  return error instanceof SlipwayError && (reason === undefined || error.reason === reason);
}
