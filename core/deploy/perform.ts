import type { Interface } from 'ethers';
import { codeAt, isRevert } from '../evm/contractCalls.ts';
import { awaitReceipt } from '../evm/receipts.ts';
import { AppError, isAppError } from '../lib/errors.ts';
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
 * Takes one step, or finds that it is taken already; what it brings is known afterwards. Throws AppError: retryable
 * while the chain cannot be asked, else for good.
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
  const taken =
    step.kind === 'create'
      ? await performCreation(step, progress, { ...context, chain })
      : await performCall(step, progress, { ...context, chain });
  return taken ? { progress: taken } : {};
}

interface ChainContext extends PerformContext {
  chain: TokenChain;
}

/** In place of what was sent before: its hash is followed, and nothing is sent again. */
const alreadySent: Transaction = { data: '0x' };

async function performCreation(
  step: CreateStep,
  progress: StepProgress | undefined,
  context: ChainContext,
): Promise<StepProgress | undefined> {
  const data = progress?.hash ? alreadySent.data : step.initCode(context.known);
  if (data === undefined) return undefined;
  const mined = await sendOnce(step, progress, { data }, context);
  if (!mined.address) throw new AppError('Internal', `transaction ${mined.hash} created no contract`);
  if ((await codeAt(context.chain, mined.address)) === '0x') {
    throw new AppError('Conflict', `there is no code at ${mined.address} any more: the chain was reset`);
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
  // What was sent is followed to its end; only what was not is asked for first.
  const unmetBefore = progress?.hash ? 'sent' : await findUnmet(chain, step.reads(known));
  if (unmetBefore === undefined) return undefined;
  // What the chain is asked for may depend on what was sent: then there is nothing to send any more.
  const transaction = step.transaction(known) ?? (progress?.hash ? alreadySent : undefined);
  if (!transaction) throw new AppError('Conflict', `not true that ${unmetBefore}`);
  const mined = await sendOnce(step, progress, transaction, context);
  const unmet = await findUnmet(chain, step.reads(known));
  if (unmet === undefined) return mined;
  throw new AppError(
    'Conflict',
    `read back otherwise after transaction ${mined.hash}: not true that ${unmet}`,
  );
}

async function findUnmet(chain: TokenChain, reads: readonly Read[]): Promise<string | undefined> {
  const answers = await Promise.all(reads.map((read) => answerOf(chain, read)));
  return reads.find((read, index) => !read.isMet(answers[index]))?.what;
}

/** The progress of a step whose transaction is in a block with success. */
async function sendOnce(
  step: CreateStep | CallStep,
  before: StepProgress | undefined,
  transaction: Transaction,
  context: ChainContext,
): Promise<StepProgress> {
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
  const hash = begun.hash ?? (await send(step, begun, transaction, context));
  if (!begun.hash) await save({ ...begun, hash });
  const receipt = await awaitReceipt(context.chain, hash, context.ports.clock);
  const { block, contract: address } = receipt;
  const ended = { attempt: begun.attempt, hash, block };
  if (receipt.isSuccess) return save({ ...ended, state: 'mined', ...(address ? { address } : {}) });
  const reason = (await tryOut(step, transaction, context)) ?? 'its transaction failed';
  const message = `${reason} (transaction ${hash})`;
  await save({ ...ended, state: 'failed', message });
  throw new AppError('Conflict', message);
}

/** The idempotency key goes first: one that was sent already is answered, whatever the chain would say to it now. */
async function send(
  step: CreateStep | CallStep,
  progress: StepProgress,
  transaction: Transaction,
  context: ChainContext,
): Promise<string> {
  try {
    return await context.chain.send(
      idempotencyKeyOf(step.scope, step.name, progress),
      transaction,
      step.signer,
    );
  } catch (error) {
    if (isAppError(error) && error.isRetryable) throw error;
    throw (
      (await step.explain?.(context.known, context.chain)) ??
      (await refusalOf(step, transaction, context)) ??
      error
    );
  }
}

async function refusalOf(step: CreateStep | CallStep, transaction: Transaction, context: ChainContext) {
  const reason = await tryOut(step, transaction, context);
  return reason === undefined ? undefined : new AppError('Conflict', reason);
}

/** Why the chain would refuse the transaction now, or undefined. */
async function tryOut(
  { signer }: CreateStep | CallStep,
  { to, data, value }: Transaction,
  { chain, ports, abis }: ChainContext,
): Promise<string | undefined> {
  const from = ports.accounts[signer];
  const request = {
    from,
    data,
    ...(to ? { to } : {}),
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
