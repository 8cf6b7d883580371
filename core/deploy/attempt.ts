import { compact } from '../lib/compact.ts';
import { AppError, isAppError } from '../lib/errors.ts';
import { followSent } from './follow.ts';
import type { TokenChain } from './ports.ts';
import { idempotencyKeyOf, type StepProgress } from './progress.ts';
import { findRefusal } from './refusal.ts';
import type { PerformContext } from './runContext.ts';
import type { CallStep, CreateStep, Transaction } from './step.ts';

export interface ChainContext extends PerformContext {
  chain: TokenChain;
}

/** How a step is attempted. */
export interface Attempt {
  step: CreateStep | CallStep;
  context: ChainContext;
  /** Computed only when it is sent, because it may depend on what was sent before. Undefined: nothing to send. */
  transaction(): Transaction | undefined;
  /** What is missing although the transaction succeeded, as a sentence; undefined when it had its effect. */
  findMissing(mined: StepProgress & { hash: string }): Promise<string | undefined>;
}

/**
 * Follows the transaction of a step to its end, and sends it before if no earlier attempt did. Resolves to the progress
 * once the effect of the transaction was seen on the chain; undefined when there is nothing to send. An attempt that
 * failed is repeated on request only. One that was dropped is repeated by the next run, because its transaction can
 * never be mined.
 */
export async function makeAttempt(
  attempt: Attempt,
  before: StepProgress | undefined,
): Promise<StepProgress | undefined> {
  if (before?.state === 'failed' && !attempt.context.isRetrying) {
    throw new AppError('Conflict', before.message ?? 'failed');
  }
  if (before?.hash && before.state !== 'failed') {
    return follow(attempt, { ...before, hash: before.hash }, true);
  }
  const transaction = attempt.transaction();
  if (!transaction) return undefined;
  // The attempt is counted before it is made, so that its idempotency key is the same after a crash.
  const begun =
    before?.state === 'failed'
      ? await save(attempt, { attempt: before.attempt + 1 })
      : (before ?? { attempt: 0 });
  const hash = await send(attempt, begun, transaction);
  return follow(attempt, { ...begun, hash }, false);
}

/** Counts a new attempt, because the transaction of the last one left the chain or the step has changed since. */
export function beginAgain(attempt: Attempt, { attempt: count }: StepProgress): Promise<StepProgress> {
  return save(attempt, { attempt: count + 1 });
}

async function save<Progress extends StepProgress>(
  { step, context }: Attempt,
  progress: Progress,
): Promise<Progress> {
  await context.store.save(step.scope, step.name, progress);
  return progress;
}

type SentProgress = StepProgress & { hash: string };

async function follow(attempt: Attempt, sent: SentProgress, isStored: boolean): Promise<StepProgress> {
  const { hash } = sent;
  const receipt = await endOf(attempt, sent, isStored);
  if ('dropped' in receipt) {
    await beginAgain(attempt, sent);
    throw new AppError(
      'Unavailable',
      `transaction ${hash} was dropped and is replaced by another: ${receipt.dropped}`,
      { retryAfterSeconds: 1 },
    );
  }
  const { block, contract: address, isSuccess } = receipt;
  const ended = { attempt: sent.attempt, hash, block, ...compact({ address }) };
  const problem = isSuccess ? await attempt.findMissing(ended) : await explainFailure(attempt, hash);
  if (problem === undefined) return save(attempt, { ...ended, state: 'mined' });
  await save(attempt, { attempt: sent.attempt, hash, block, state: 'failed', message: problem });
  throw new AppError('Conflict', problem);
}

/**
 * Most transactions are mined at once: then the hash is stored with what came of it, in one write. Whoever dies before
 * that sends under the same idempotency key again, and gets the same hash.
 */
async function endOf(attempt: Attempt, sent: SentProgress, isStored: boolean) {
  const { step, context } = attempt;
  const idempotencyKey = idempotencyKeyOf(step.scope, step.name, sent);
  let isKept = isStored;
  const keep = async () => {
    if (!isKept) await save(attempt, sent);
    isKept = true;
  };
  try {
    const under = { idempotencyKey, hash: sent.hash, onWait: keep };
    return await followSent(context.chain, under, context.ports.clock);
  } catch (error) {
    await keep();
    throw error;
  }
}

async function explainFailure(attempt: Attempt, hash: string): Promise<string> {
  const reason = await findRefusal(attempt.step, sentAgain(attempt), attempt.context);
  return `${reason ?? 'its transaction failed'} (transaction ${hash})`;
}

/** What the step would send now, to find out why it failed; undefined when that can no longer be computed. */
function sentAgain(attempt: Attempt): Transaction | undefined {
  try {
    return attempt.transaction();
  } catch {
    return undefined;
  }
}

/**
 * The idempotency key is tried before anything else: a transaction that was sent under it is answered, whatever the
 * chain would say to it now.
 */
async function send(
  { step, context }: Attempt,
  progress: StepProgress,
  transaction: Transaction,
): Promise<string> {
  try {
    return await context.chain.send(
      idempotencyKeyOf(step.scope, step.name, progress),
      transaction,
      step.signer,
    );
  } catch (error) {
    if (isAppError(error) && error.isRetryable) throw error;
    const explained = await step.explain?.(context.known, context.chain);
    if (explained) throw explained;
    const reason = await findRefusal(step, transaction, context);
    throw reason === undefined ? error : new AppError('Conflict', reason);
  }
}
