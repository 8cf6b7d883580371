import type { Kube } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';

/**
 * Runs a call to kube-apiserver for a user's request. Errors that the user cannot fix (RBAC of the service, a missing
 * kind or namespace, its rate limit) become Unavailable; rejections of the object itself pass unchanged.
 */
export async function forCaller<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw toCallersError(error);
  }
}

function toCallersError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const isOurs = ['Forbidden', 'NotFound', 'TooManyRequests', 'Internal'].includes(error.reason);
  if (!isOurs) return error;
  return new AppError('Unavailable', 'the cluster cannot process the request at the moment; retry', {
    cause: error,
    retryAfterSeconds: error.retryAfterSeconds ?? 5,
  });
}

/** The part of Kube that the handlers need. */
export type Store = Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'apply' | 'delete' | 'serverTimeMs'>;
