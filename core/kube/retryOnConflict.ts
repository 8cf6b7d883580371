import { isAppError } from '../lib/errors.ts';

interface RetryOptions {
  /** After so many, the last error is thrown. */
  attempts: number;
  /** Which errors mean that somebody else wrote first: Conflict by default. */
  isConflict?(error: unknown): boolean;
  /** Before the next attempt; `attempt` counts from 1. */
  pause?(attempt: number): Promise<void>;
}

/**
 * Does `work`, which reads and writes, again when somebody else wrote between the two. Only for work that throws Conflict for
 * no other reason.
 */
export async function retryOnConflict<T>(
  { attempts, isConflict = (error) => isAppError(error, 'Conflict'), pause }: RetryOptions,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
    }
    await pause?.(attempt);
  }
}

/** Whether an object was changed or deleted since it was read. */
export const isChangedSince = (error: unknown) =>
  isAppError(error, 'Conflict') || isAppError(error, 'NotFound');
