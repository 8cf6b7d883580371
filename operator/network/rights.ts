import { isAppError } from '../../core/lib/errors.ts';

/** `open`: work remains. `refused`: the cluster did not allow it. */
type Attempt = 'done' | 'open' | 'refused';

/** Remembers which networks' children the cluster refuses, for their status. */
export interface Rights {
  /** Why the last attempt was refused; undefined if it was not. */
  refusalOf(uid: string): string | undefined;
  /** The result of an attempt that resolves to whether nothing remains to be done. */
  observe(uid: string, attempt: Promise<boolean>): Promise<Attempt>;
  forget(uid: string): void;
}

export function createRights(): Rights {
  const refusals = new Map<string, string>();
  return {
    refusalOf: (uid) => refusals.get(uid),
    async observe(uid, attempt) {
      try {
        const isDone = await attempt;
        refusals.delete(uid);
        return isDone ? 'done' : 'open';
      } catch (error) {
        if (!isAppError(error, 'Forbidden')) throw error;
        refusals.set(uid, error.message);
        return 'refused';
      }
    },
    forget: (uid) => void refusals.delete(uid),
  };
}
