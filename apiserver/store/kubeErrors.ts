import { budgetRefusal } from '../../core/kube/apply/applyFailure.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { withAnswers } from '../../core/kube/withAnswers.ts';
import { AppError } from '../../core/lib/errors.ts';
import { isStorageRefusal } from '../../core/storage/ledger.ts';

/**
 * Runs a call to kube-apiserver for a user's request. Errors that the user cannot fix (RBAC of the service, a missing
 * kind or namespace, its rate limit) become Unavailable; what does not fit in the workspace's budget becomes
 * TooManyRequests; rejections of the object itself pass unchanged.
 */
export async function forCaller<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw toCallersError(error);
  }
}

function toCallersError(error: unknown): unknown {
  if (!(error instanceof AppError) || isStorageRefusal(error)) return error;
  const refusal = budgetRefusal(error);
  if (refusal !== undefined) return overBudget(refusal, error);
  const isOurs = ['Forbidden', 'NotFound', 'TooManyRequests', 'Internal'].includes(error.reason);
  if (!isOurs) return error;
  return new AppError('Unavailable', 'the cluster cannot process the request at the moment; retry', {
    cause: error,
    retryAfterSeconds: error.retryAfterSeconds ?? 5,
  });
}

/** Space becomes free when somebody deletes something. */
const overBudgetRetrySeconds = 60;

function overBudget(refusal: string, cause: AppError): AppError {
  const message = `the budget of this workspace is used up (${refusal}): delete what is not needed, or ask for a larger one`;
  return new AppError('TooManyRequests', message, { cause, retryAfterSeconds: overBudgetRetrySeconds });
}

/** The part of Kube that the handlers need. */
export type Store = Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'apply' | 'delete' | 'serverTimeMs'>;

/** The same cluster, whose failures are errors that a caller may see. */
export const forCallers = (kube: Omit<Store, 'apply'>): Omit<Store, 'apply'> => withAnswers(kube, forCaller);
