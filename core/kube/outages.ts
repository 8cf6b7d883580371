import { isAppError } from '../lib/errors.ts';
import type { Kube } from './kube.ts';
import { withAnswers } from './withAnswers.ts';

/** A Kube that remembers which of its errors pass by themselves. */
export interface Outages {
  kube: Kube;
  /** Whether a request through `kube` caused this error because kube-apiserver could not answer it for the moment. */
  isOutage(error: unknown): boolean;
}

export function createOutages(kube: Kube): Outages {
  const outages = new WeakSet<Error>();
  async function noting<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (isAppError(error, 'Unavailable')) outages.add(error);
      throw error;
    }
  }
  return {
    kube: withAnswers(kube, noting),
    isOutage(error) {
      for (let one = error; one instanceof Error; one = one.cause) if (outages.has(one)) return true;
      return false;
    },
  };
}
