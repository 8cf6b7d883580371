import { hashOf } from '../lib/hash.ts';

/** The progress of a step that sends a transaction. */
export interface StepProgress {
  /** Counts from 0; each retry of a failed attempt has its own idempotency key. */
  attempt: number;
  /** Of the transaction, written with its outcome, or before if that takes longer than half a second. */
  hash?: string;
  /** `mined` with success, or `failed` until someone asks for a retry. */
  state?: 'mined' | 'failed';
  block?: number;
  /** Of that block. Earlier versions did not store it. */
  blockHash?: string;
  /** Of a contract creation. */
  address?: string;
  /** Of a failed step. */
  message?: string;
}

/**
 * Where progress is kept, by scope and name of the step. Two runs may work on one scope at the same time: they write
 * the same, because they use the same idempotency keys. Only `attempt` may differ; the higher one is the later.
 */
export interface ProgressStore {
  load(scope: string): Promise<Readonly<Record<string, StepProgress>>>;
  save(scope: string, step: string, progress: StepProgress): Promise<void>;
}

/** The longest idempotency key that the Outbox accepts. */
const maxIdempotencyKeyLength = 253;

/** Identifies the transaction of a step: it is sent once for each key, however often it is submitted. */
export function idempotencyKeyOf(scope: string, step: string, { attempt }: { attempt: number }): string {
  const idempotencyKey = attempt === 0 ? `${scope}/${step}` : `${scope}/${step}#${attempt}`;
  return idempotencyKey.length <= maxIdempotencyKeyLength ? idempotencyKey : hashOf(idempotencyKey);
}

/** Progress in memory, for tests and for work that need not survive the process. */
export function createMemoryProgress(): ProgressStore {
  const scopes = new Map<string, Record<string, StepProgress>>();
  return {
    load: async (scope) => ({ ...scopes.get(scope) }),
    async save(scope, step, progress) {
      scopes.set(scope, { ...scopes.get(scope), [step]: progress });
    },
  };
}
