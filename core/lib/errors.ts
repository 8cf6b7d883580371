import { cut } from './text/foreignText.ts';

/** Every failure that a caller may see: its HTTP status, and whether the same request may succeed later. */
export const errorTable = {
  BadRequest: { status: 400, isRetryable: false },
  Unauthorized: { status: 401, isRetryable: false },
  Forbidden: { status: 403, isRetryable: false },
  NotFound: { status: 404, isRetryable: false },
  MethodNotAllowed: { status: 405, isRetryable: false },
  RequestTimeout: { status: 408, isRetryable: true },
  Conflict: { status: 409, isRetryable: false },
  TooLarge: { status: 413, isRetryable: false },
  UnsupportedMediaType: { status: 415, isRetryable: false },
  TooManyRequests: { status: 429, isRetryable: true },
  HeadersTooLarge: { status: 431, isRetryable: false },
  Internal: { status: 500, isRetryable: false },
  NotImplemented: { status: 501, isRetryable: false },
  Unavailable: { status: 503, isRetryable: true },
} as const satisfies Record<string, { status: number; isRetryable: boolean }>;

export type ErrorReason = keyof typeof errorTable;

/** One invalid field: `path` in dotted form (`spec.chain.type`), `message` with the remedy. */
export interface ErrorDetail {
  path: string;
  message: string;
}

interface ErrorOptions {
  details?: ErrorDetail[];
  retryAfterSeconds?: number;
  cause?: unknown;
  isOutcomeUnknown?: boolean;
  /** Waiting does not help: the answer has no Retry-After. */
  isLasting?: boolean;
}

/** The only error type that crosses module boundaries. Its message is safe to show to a caller, and bounded. */
export class AppError extends Error {
  readonly reason: ErrorReason;
  readonly details: ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  /** Whether the failed request may have had its effect: then it must be repeated unchanged. */
  readonly isOutcomeUnknown: boolean;
  readonly isLasting: boolean;

  constructor(reason: ErrorReason, message: string, options: ErrorOptions = {}) {
    super(cut(message), { cause: options.cause });
    this.name = 'AppError';
    this.reason = reason;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isOutcomeUnknown = options.isOutcomeUnknown ?? false;
    this.isLasting = options.isLasting ?? false;
  }

  get status(): number {
    return errorTable[this.reason].status;
  }

  get isRetryable(): boolean {
    return errorTable[this.reason].isRetryable;
  }
}

/** A budget of things that stay until somebody deletes one is used up. */
export function budgetUsedUp(message: string): AppError {
  return new AppError('TooManyRequests', message, { isLasting: true });
}

/** More of them would not help, and a request may have a million mistakes. */
export const maxDetails = 100;
const maxPathLength = 300;
const maxMessageLength = 2000;

/** The error of a request with several mistakes: `what`, followed by what is wrong with each field, as far as it helps. */
export function refusalWith(
  what: string,
  all: readonly ErrorDetail[],
  reason: ErrorReason = 'BadRequest',
): AppError {
  const details = all.slice(0, maxDetails).map(({ path, message }) => ({
    path: cut(path, maxPathLength),
    message: cut(message, maxMessageLength),
  }));
  const list = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  return new AppError(reason, cut(`${what}: ${list}`, maxMessageLength), { details });
}

/** Whether `error` is an AppError, of `reason` when one is given. */
export function isAppError(error: unknown, reason?: ErrorReason): error is AppError {
  return error instanceof AppError && (reason === undefined || error.reason === reason);
}

/**
 * The code of an error of a connection, such as ECONNREFUSED; undefined for errors without one. Messages of such errors also have the
 * address, which is for logs alone.
 */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The message of anything that was thrown, for logs and statuses. It may quote what somebody else wrote, so it is cut. */
export function messageOf(error: unknown): string {
  return cut(error instanceof Error ? error.message : String(error));
}
