import type { Interface } from 'ethers';
import { codeAt, isRevert } from '../evm/contractCalls.ts';
import { compact } from '../lib/compact.ts';
import { AppError, isAppError } from '../lib/errors.ts';
import { followSent } from './follow.ts';
import type { KnownValues } from './known.ts';
import type { TokenChain, TokenPorts } from './ports.ts';
import { idempotencyKeyOf, type StepProgress } from './progress.ts';
import { answerOf } from './reads.ts';
import { explainRevert } from './reverts.ts';
import type { CallStep, CreateStep, Read, Step, Transaction } from './step.ts';

export interface PerformContext {
  ports: TokenPorts;
  abis: readonly Interface[];
  isRetrying?: boolean;
  known: KnownValues;
  store: ProgressReader;
}

interface ProgressReader {
  find(scope: string, step: string): Promise<StepProgress | undefined>;
  save(scope: string, step: string, progress: StepProgress): Promise<void>;
}

/**
 * Performs one step, unless it has been performed already; later steps then know what it yields. Throws AppError:
 * retryable while the chain cannot be asked, otherwise final.
 */
export async function performStep(step: Step, context: PerformContext): Promise<{ progress?: StepProgress }> {
  const chain = await context.ports.chain(step.network);
  if (step.kind === 'inspect') {
    const values = await step.inspect(context.known, chain);
    for (const [member, value] of Object.entries(values)) {
      context.known.set(step.network, `${step.name}.${member}`, value);
    }
    return {};
  }
  const progress = await context.store.find(step.scope, step.name);
  const performed =
    step.kind === 'create'
      ? await performCreation(step, progress, { ...context, chain })
      : await performCall(step, progress, { ...context, chain });
  return performed ? { progress: performed } : {};
}

interface ChainContext extends PerformContext {
  chain: TokenChain;
}

/** A transaction of a step, and where it goes. */
interface Sending {
  step: CreateStep | CallStep;
  transaction: Transaction;
  context: ChainContext;
}

/** Stands for a transaction that was sent before: its hash is followed, and nothing is sent again. */
const alreadySent: Transaction = { data: '0x' };

async function performCreation(
  step: CreateStep,
  progress: StepProgress | undefined,
  context: ChainContext,
): Promise<StepProgress | undefined> {
  const data = progress?.hash ? alreadySent.data : step.initCode(context.known);
  if (data === undefined) return undefined;
  const mined = await sendOnce({ step, transaction: { data }, context }, progress);
  if (!mined.address) throw new AppError('Internal', `transaction ${mined.hash} created no contract`);
  if ((await codeAt(context.chain, mined.address)) === '0x') {
    throw new AppError('Conflict', `there is no longer any code at ${mined.address}: the chain was reset`);
  }
  context.known.set(step.network, step.name, mined.address);
  return mined;
}

async function performCall(
  step: CallStep,
  progress: StepProgress | undefined,
  context: ChainContext,
): Promise<StepProgress | undefined> {
  const { known, chain } = context;
  if (progress?.state === 'mined') return progress;
  // A transaction that was sent is followed to its end; the chain is asked first only when none was sent.
  const unmetBefore = progress?.hash ? 'sent' : await findUnmet(chain, step.reads(known));
  if (unmetBefore === undefined) return undefined;
  // What the step would send may depend on what it sent before: then there is nothing left to send.
  const transaction = step.transaction(known) ?? (progress?.hash ? alreadySent : undefined);
  if (!transaction) throw new AppError('Conflict', `the chain does not confirm that ${unmetBefore}`);
  const mined = await sendOnce({ step, transaction, context }, progress);
  const unmet = await findUnmet(chain, step.reads(known));
  if (unmet === undefined) return mined;
  throw new AppError(
    'Conflict',
    `transaction ${mined.hash} succeeded, but the chain does not confirm that ${unmet}`,
  );
}

async function findUnmet(chain: TokenChain, reads: readonly Read[]): Promise<string | undefined> {
  const answers = await Promise.all(reads.map((read) => answerOf(chain, read)));
  return reads.find((read, index) => !read.isMet(answers[index]))?.what;
}

/** The progress of a step whose transaction is in a block with success. */
async function sendOnce(sending: Sending, before: StepProgress | undefined): Promise<StepProgress> {
  const { step, context } = sending;
  if (before?.state === 'mined') return before;
  if (before?.state === 'failed' && !context.isRetrying) {
    throw new AppError('Conflict', before.message ?? 'failed');
  }
  const save = async (progress: StepProgress) => {
    await context.store.save(step.scope, step.name, progress);
    return progress;
  };
  const isAgain = before?.state === 'failed';
  // The attempt is counted before it is made, so that its idempotency key is the same after a crash.
  const begun = isAgain ? await save({ attempt: before.attempt + 1 }) : (before ?? { attempt: 0 });
  const hash = begun.hash ?? (await send(sending, begun));
  if (!begun.hash) await save({ ...begun, hash });
  const idempotencyKey = idempotencyKeyOf(step.scope, step.name, begun);
  const receipt = await followSent(context.chain, { idempotencyKey, hash }, context.ports.clock);
  if ('dropped' in receipt) {
    // It can never be mined, so the next attempt cannot repeat it.
    await save({ attempt: begun.attempt + 1 });
    const message = `transaction ${hash} was dropped: ${receipt.dropped}; it is sent again`;
    throw new AppError('Unavailable', message, { retryAfterSeconds: 1 });
  }
  const { block, contract: address } = receipt;
  const ended = { attempt: begun.attempt, hash, block };
  if (receipt.isSuccess) return save({ ...ended, state: 'mined', ...compact({ address }) });
  const reason = (await simulate(sending)) ?? 'its transaction failed';
  const message = `${reason} (transaction ${hash})`;
  await save({ ...ended, state: 'failed', message });
  throw new AppError('Conflict', message);
}

/**
 * The idempotency key is tried before anything else: a transaction that was sent under it is answered, whatever the
 * chain would say to it now.
 */
async function send(sending: Sending, progress: StepProgress): Promise<string> {
  const { step, transaction, context } = sending;
  try {
    return await context.chain.send(
      idempotencyKeyOf(step.scope, step.name, progress),
      transaction,
      step.signer,
    );
  } catch (error) {
    if (isAppError(error) && error.isRetryable) throw error;
    throw (await step.explain?.(context.known, context.chain)) ?? (await refusalOf(sending)) ?? error;
  }
}

async function refusalOf(sending: Sending): Promise<AppError | undefined> {
  const reason = await simulate(sending);
  return reason === undefined ? undefined : new AppError('Conflict', reason);
}

/** Why the chain would refuse the transaction now, or undefined. */
async function simulate({ step, transaction, context }: Sending): Promise<string | undefined> {
  const { to, data, value } = transaction;
  const { chain, ports, abis } = context;
  const request = {
    from: ports.accounts[step.signer],
    data,
    ...compact({ to }),
    ...(value ? { value: `0x${value.toString(16)}` } : {}),
  };
  try {
    await chain.call('eth_call', [request, 'latest']);
    return undefined;
  } catch (error) {
    if (isRevert(error)) return explainRevert(error, abis);
    throw error;
  }
}
