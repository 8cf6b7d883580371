import { AppError, type ErrorDetail, type ErrorReason } from '../../lib/errors.ts';
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

/** The AppError of an answer that is not a success. */
export function toAppError(answer: ErrorAnswer): AppError {
  const { type, statusCode, status } = answer;
  if (statusCode === 401) return new AppError('Internal', 'kube-apiserver refused the credentials in use');
  const reason = hasOtherUid(status) ? 'Conflict' : reasonOf(statusCode, status?.message);
  // «Not found» and «exists already» quote names alone.
  const canQuoteValues = type?.kind === 'Secret' && reason !== 'NotFound' && reason !== 'Conflict';
  const scrub = canQuoteValues ? scrubValues : (text: string) => text;
  const message = scrub(status?.message ?? `kube-apiserver answered ${statusCode}`).slice(
    0,
    maxMessageLength,
  );
  const retryAfterSeconds =
    answer.retryAfterSeconds ?? status?.details?.retryAfterSeconds ?? defaultRetryAfterSeconds;
  const isRetryable = reason === 'Unavailable' || reason === 'TooManyRequests';
  return new AppError(reason, message, {
    details: detailsOf(status, scrub),
    ...(isRetryable ? { retryAfterSeconds } : {}),
  });
}

/** The AppError of a request that got no answer. `cause` is for the log; its text may name addresses. */
export function toUnreachable(cause: unknown): AppError {
  return new AppError('Unavailable', 'kube-apiserver did not answer', {
    cause,
    retryAfterSeconds: defaultRetryAfterSeconds,
  });
}

/** Whether the server says that this very object is absent; a kind that is not served at all is also a 404. */
export function isObjectMissing(status: KubeStatus | undefined): boolean {
  return status?.kind === 'Status' && status.reason === 'NotFound' && Boolean(status.details?.name);
}

/** A patch that names another uid is called invalid by the server; like any other precondition it is a conflict. */
function hasOtherUid(status: KubeStatus | undefined): boolean {
  return (
    status?.code === 422 && status.details?.causes?.some(({ field }) => field === 'metadata.uid') === true
  );
}

function reasonOf(statusCode: number, message = ''): ErrorReason {
  // etcd's own limit comes back as a 500.
  if (statusCode >= 500) return message.includes('request is too large') ? 'TooLarge' : 'Unavailable';
  return reasons[statusCode] ?? 'Internal';
}

function detailsOf(status: KubeStatus | undefined, scrub: (text: string) => string): ErrorDetail[] {
  const causes = status?.details?.causes ?? [];
  return causes
    .filter((cause) => cause.field)
    .map((cause) => ({
      path: (cause.field ?? '').slice(0, maxMessageLength),
      message: scrub(cause.message ?? 'is not valid').slice(0, maxMessageLength),
    }));
}

/** Validation and decoding messages quote what they refuse; of a secret nothing of that may be repeated. */
function scrubValues(text: string): string {
  return text
    .replace(/error found in .*/s, 'the body cannot be read')
    .replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|'[^']*'/gs, hidden)
    .replace(/Invalid value: [^:]*/g, `Invalid value: ${hidden}`)
    .replace(/["`].*/s, hidden);
}
