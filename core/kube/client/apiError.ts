import { AppError, type ErrorDetail, type ErrorReason, isAppError } from '../../lib/errors.ts';
import { cut } from '../../lib/text/foreignText.ts';
import type { ResourceType } from '../kube.ts';

/** The parts of a Kubernetes `Status` that are used here (meta/v1 Status). */
export interface KubeStatus {
  kind?: string;
  reason?: string;
  message?: string;
  code?: number;
  details?: {
    name?: string;
    kind?: string;
    retryAfterSeconds?: number;
    causes?: { field?: string; message?: string }[];
  };
}

export interface ErrorAnswer {
  type: ResourceType | undefined;
  statusCode: number;
  status: KubeStatus | undefined;
  retryAfterSeconds?: number | undefined;
}

const maxMessageLength = 2000;
const defaultRetryAfterSeconds = 1;
const hidden = '(hidden)';

const reasons: Record<number, ErrorReason> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Conflict',
  413: 'TooLarge',
  422: 'BadRequest',
  429: 'TooManyRequests',
};

/** The message of a create that the server gave up because others were counted in the same quota. Nothing was written. */
export const quotaBusy = 'kube-apiserver counts other objects in the quota of the namespace; retry';

/** The message of a request that came before the server knew the kinds that its admission policies read. Nothing was written. */
const policiesUnknown = 'kube-apiserver does not know the kinds of its admission policies yet; retry';

/** The AppError for an unsuccessful answer. */
export function toAppError(answer: ErrorAnswer): AppError {
  const { type, statusCode, status } = answer;
  if (isQuotaBusy(answer)) {
    return new AppError('Unavailable', quotaBusy, { retryAfterSeconds: defaultRetryAfterSeconds });
  }
  if (arePoliciesUnknown(status)) {
    return new AppError('Unavailable', policiesUnknown, { retryAfterSeconds: defaultRetryAfterSeconds });
  }
  if (statusCode === 401) return new AppError('Internal', 'kube-apiserver refused the credentials in use');
  const reason = hasOtherUid(status) ? 'Conflict' : reasonOf(statusCode, status?.message);
  // "not found" and "already exists" quote only names.
  const canQuoteValues = type?.kind === 'Secret' && reason !== 'NotFound' && reason !== 'Conflict';
  const scrub = canQuoteValues ? scrubValues : (text: string) => cut(text, maxMessageLength);
  const message = scrub(status?.message ?? `kube-apiserver answered ${statusCode}`);
  const retryAfterSeconds =
    answer.retryAfterSeconds ?? status?.details?.retryAfterSeconds ?? defaultRetryAfterSeconds;
  const isRetryable = reason === 'Unavailable' || reason === 'TooManyRequests';
  return new AppError(reason, message, {
    details: detailsOf(status, scrub),
    ...(isRetryable ? { retryAfterSeconds } : {}),
  });
}

const unanswered = 'kube-apiserver did not answer';

/** Whether kube-apiserver did not answer: it could not be reached, or not in time. */
export function isUnanswered(error: unknown): boolean {
  return isAppError(error, 'Unavailable') && error.message === unanswered;
}

/** The AppError for a request that was not answered. `cause` is for the log; its text may contain addresses. */
export function toUnreachable(cause: unknown): AppError {
  return new AppError('Unavailable', unanswered, {
    cause,
    retryAfterSeconds: defaultRetryAfterSeconds,
  });
}

/** Whether the server reports that the object itself does not exist; a kind that is not served is also a 404. */
export function isObjectMissing(status: KubeStatus | undefined): boolean {
  return status?.kind === 'Status' && status.reason === 'NotFound' && Boolean(status.details?.name);
}

/** The conflict is about the quota's status, which the server updates itself, and not about the object. */
function isQuotaBusy({ type, statusCode, status }: ErrorAnswer): boolean {
  return (
    statusCode === 409 && status?.details?.kind === 'resourcequotas' && type?.plural !== 'resourcequotas'
  );
}

/** For up to half a minute after the definition of a kind was made, policies with parameters of that kind deny every request. */
function arePoliciesUnknown(status: KubeStatus | undefined): boolean {
  return status?.message?.includes('failed to find resource referenced by paramKind') === true;
}

/** The server reports a patch with another uid as invalid; like any other failed precondition it is a conflict. */
function hasOtherUid(status: KubeStatus | undefined): boolean {
  return (
    status?.code === 422 && status.details?.causes?.some(({ field }) => field === 'metadata.uid') === true
  );
}

function reasonOf(statusCode: number, message = ''): ErrorReason {
  // The request size limit of etcd is reported as a 500.
  if (statusCode >= 500) return message.includes('request is too large') ? 'TooLarge' : 'Unavailable';
  return reasons[statusCode] ?? 'Internal';
}

function detailsOf(status: KubeStatus | undefined, scrub: (text: string) => string): ErrorDetail[] {
  const causes = status?.details?.causes ?? [];
  return causes
    .filter((cause) => cause.field)
    .map((cause) => ({
      path: cut(cause.field ?? '', maxMessageLength),
      message: scrub(cause.message ?? 'is not valid'),
    }));
}

/**
 * Validation and decoding messages quote the values they reject; those of a secret must not be repeated. The message is cut first,
 * so a quotation may have no end: it goes to the end of the message. An apostrophe alone begins none, unless a cut took its end.
 */
function scrubValues(text: string): string {
  const shown = cut(text, maxMessageLength)
    .replace(/error found in .*/s, 'the body cannot be decoded')
    .replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|`[^`]*(?:`|$)|'[^']*'/g, hidden)
    .replace(/Invalid value: [^:]*/g, `Invalid value: ${hidden}`);
  return text.length > maxMessageLength ? shown.replace(/'.*/s, hidden) : shown;
}
