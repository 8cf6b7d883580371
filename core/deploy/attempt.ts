import { compact } from '../lib/compact.ts';
import { AppError, isAppError, messageOf } from '../lib/errors.ts';
import type { Anchor } from './anchor.ts';
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
  /** What is missing although the transaction succeeded, as a sentence; undefined if it had the intended effect. */
  findMissing(mined: StepProgress & { hash: string }): Promise<string | undefined>;
  /** Whether its transaction had succeeded before the chain gave it back to the pool, or failed in another block. */
  wasDone?: boolean;
}

/** A step that was performed, and the block of its transaction; without a block, its effect was there without one. */
export interface Performed {
  progress: StepProgress;
  anchor?: Anchor;
}

/**
 * Follows the transaction of a step to its end, and sends it before if no earlier attempt did. Resolves once the effect of
 * the transaction was seen on the chain; undefined when there is nothing to send. An attempt that failed, whenever that is
 * found out, is repeated on request only, by another transaction. One that was dropped is repeated by the next run, because
 * its transaction can never be mined; if it was done before, that is repeated on request only.
 */
export async function makeAttempt(
  attempt: Attempt,
  before: StepProgress | undefined,
): Promise<Performed | undefined> {
  const earlier = await outcomeOf(attempt, before);
  if (earlier && 'progress' in earlier) return earlier;
  if (earlier?.state === 'failed' && !attempt.context.repeats.failed) throw failure(earlier);
  const transaction = attempt.transaction();
  if (!transaction) return undefined;
  // The attempt is counted before it is made, so that its idempotency key is the same after a crash.
  const begun =
    earlier?.state === 'failed'
      ? await save(attempt, { attempt: earlier.attempt + 1 })
      : (earlier ?? { attempt: 0 });
  const hash = await send(attempt, begun, transaction);
  const end = await follow(attempt, { ...begun, hash }, false);
  if ('progress' in end) return end;
  throw failure(end);
}

/** What became of an attempt whose outcome is not known yet. */
async function outcomeOf(
  attempt: Attempt,
  before: StepProgress | undefined,
): Promise<Performed | StepProgress | undefined> {
  const { hash, state } = before ?? {};
  if (!before || hash === undefined || state === 'failed') return before;
  return follow(attempt, { ...before, hash }, true);
}

const failure = ({ message }: StepProgress) => new AppError('Conflict', message ?? 'failed');

/** Why a step that was done has to be done again. */
export const undoneReason = (hash: string) => `the chain was rolled back past its transaction ${hash}`;

/** Throws Conflict with the remedy unless somebody has asked that what was undone is done again. */
export function checkMayRepeat({ context: { repeats } }: Attempt, reason: string): void {
  if (!repeats.undone) throw new AppError('Conflict', `${reason}: ${repeats.remedy}`);
}

/** Counts a new attempt, because the transaction of the last one left the chain or the step has changed since. */
export function beginAgain(attempt: Attempt, { attempt: count }: StepProgress): Promise<StepProgress> {
  return save(attempt, { attempt: count + 1 });
}

/** Stores the progress of a step, and returns it. */
export async function save<Progress extends StepProgress>(
  { step, context }: Attempt,
  progress: Progress,
): Promise<Progress> {
  await context.store.save(step.scope, step.name, progress);
  return progress;
}

type SentProgress = StepProgress & { hash: string };

/** Resolves to the failed attempt if it did not have the intended effect. */
async function follow(
  attempt: Attempt,
  sent: SentProgress,
  isStored: boolean,
): Promise<Performed | StepProgress> {
  const { hash } = sent;
  const receipt = await endOf(attempt, sent, isStored);
  if ('dropped' in receipt) {
    if (attempt.wasDone) checkMayRepeat(attempt, undoneReason(hash));
    await beginAgain(attempt, sent);
    throw new AppError(
      'Unavailable',
      `transaction ${hash} was dropped and is replaced by another: ${receipt.dropped}`,
      { retryAfterSeconds: 1 },
    );
  }
  const { block, blockHash, contract: address, isSuccess } = receipt;
  const ended = { attempt: sent.attempt, hash, block, blockHash, ...compact({ address }) };
  const problem = isSuccess ? await attempt.findMissing(ended) : await explainFailure(attempt, hash);
  if (problem !== undefined) {
    return save(attempt, { attempt: sent.attempt, hash, block, state: 'failed', message: problem });
  }
  const progress = await save<StepProgress>(attempt, { ...ended, state: 'mined' });
  return { progress, anchor: { block, hash: blockHash } };
}

/**
 * Most transactions are mined at once: then the hash is stored with the outcome, in one write. After a crash before that, the
 * same idempotency key gives the same hash again.
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
  const reason = await findReason(attempt);
  return `${reason ?? 'its transaction failed'} (transaction ${hash})`;
}

/** That it failed is known, and has to be stored, whatever a node says when it is asked for the reason. */
async function findReason(attempt: Attempt): Promise<string | undefined> {
  try {
    return await findRefusal(attempt.step, sentAgain(attempt), attempt.context);
  } catch (error) {
    return isAppError(error) && error.isRetryable ? undefined : messageOf(error);
  }
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
