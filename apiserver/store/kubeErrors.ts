import type { Kube } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';

/**
 * Runs a call to kube-apiserver for a user's request. What the user cannot mend (the service's own rights, a kind or
 * namespace that is absent, its rate limit) becomes Unavailable; refusals of the object itself pass as they are.
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
  return new AppError('Unavailable', 'the cluster does not accept this at the moment', {
    cause: error,
    retryAfterSeconds: error.retryAfterSeconds ?? 5,
  });
}

/** What the handlers need of a Kube. */
export type Store = Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'apply' | 'delete' | 'serverTimeMs'>;
