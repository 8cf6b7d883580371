import { isAppError } from '../../core/lib/errors.ts';

/** Remembers which networks' children the cluster refuses, for their status. */
export interface Rights {
  /** Why the last attempt was refused; undefined if it was not. */
  refusalOf(uid: string): string | undefined;
  /** The result of an attempt; `refused` if the cluster did not allow it. */
  observe<T>(uid: string, attempt: Promise<T>): Promise<T | 'refused'>;
  forget(uid: string): void;
}

export function createRights(): Rights {
  const refusals = new Map<string, string>();
  return {
    refusalOf: (uid) => refusals.get(uid),
    async observe(uid, attempt) {
      try {
        const result = await attempt;
        refusals.delete(uid);
        return result;
      } catch (error) {
        if (!isAppError(error, 'Forbidden')) throw error;
        refusals.set(uid, error.message);
        return 'refused';
      }
    },
    forget: (uid) => void refusals.delete(uid),
  };
}
