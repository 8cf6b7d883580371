import { hashOf } from '../lib/hash.ts';

/** How far a step that sends a transaction is. */
export interface StepProgress {
  /** Counts from 0; each failed attempt that is taken again has its own idempotency key. */
  attempt: number;
  /** Written before the receipt is awaited. */
  hash?: string;
  /** `mined` with success, or `failed` for good unless it is taken again. */
  state?: 'mined' | 'failed';
  block?: number;
  /** Of a contract creation. */
  address?: string;
  /** Of a failed step. */
  message?: string;
}

/**
 * Where progress is kept, by scope and name of the step. Two runs may work on one scope at a time: whatever they write
 * is the same, because idempotency keys are, except for `attempt`, of which the higher one is the later.
 */
export interface ProgressStore {
  load(scope: string): Promise<Readonly<Record<string, StepProgress>>>;
  save(scope: string, step: string, progress: StepProgress): Promise<void>;
}

/** The Outbox takes idempotency keys up to here. */
const maxIdempotencyKeyLength = 253;

/** What the transaction of a step is known by: the same idempotency key is sent once, however often it is handed in. */
export function idempotencyKeyOf(scope: string, step: string, { attempt }: { attempt: number }): string {
  const idempotencyKey = attempt === 0 ? `${scope}/${step}` : `${scope}/${step}#${attempt}`;
  return idempotencyKey.length <= maxIdempotencyKeyLength ? idempotencyKey : hashOf(idempotencyKey);
}

/** Progress in memory, for tests and for what need not outlive the process. */
export function createMemoryProgress(): ProgressStore {
  const scopes = new Map<string, Record<string, StepProgress>>();
  return {
    load: async (scope) => ({ ...scopes.get(scope) }),
    async save(scope, step, progress) {
      scopes.set(scope, { ...scopes.get(scope), [step]: progress });
    },
  };
}
