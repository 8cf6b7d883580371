import { codeAt } from '../evm/contractCalls.ts';
import { isKnownTransaction, readTransaction } from '../evm/transactions.ts';
import { AppError } from '../lib/errors.ts';
import { type Attempt, beginAgain, type ChainContext, makeAttempt } from './attempt.ts';
import type { TokenChain } from './ports.ts';
import type { StepProgress } from './progress.ts';
import { answerOf } from './reads.ts';
import type { PerformContext } from './runContext.ts';
import type { CallStep, CreateStep, Read, Step } from './step.ts';

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

async function performCreation(
  step: CreateStep,
  progress: StepProgress | undefined,
  context: ChainContext,
): Promise<StepProgress | undefined> {
  const { chain, known } = context;
  const attempt: Attempt = {
    step,
    context,
    transaction() {
      const data = step.initCode(known);
      return data === undefined ? undefined : { data };
    },
    async findMissing({ hash, address }) {
      if (!address) return `transaction ${hash} created no contract`;
      return (await codeAt(chain, address)) === '0x'
        ? `transaction ${hash} succeeded, but there is no code at ${address}`
        : undefined;
    },
  };
  const mined =
    progress?.state === 'mined'
      ? await keepContract(attempt, progress)
      : await makeAttempt(attempt, progress);
  if (mined?.address) known.set(step.network, step.name, mined.address);
  return mined;
}

/** A contract that was created earlier: created again if the chain was rolled back past its creation. */
async function keepContract(attempt: Attempt, mined: StepProgress): Promise<StepProgress | undefined> {
  const { chain } = attempt.context;
  const { address = '', hash = '' } = mined;
  if ((await codeAt(chain, address)) !== '0x') return mined;
  if (await isKnownTransaction(chain, hash)) {
    throw new AppError('Conflict', `the contract at ${address} no longer exists: it was removed`);
  }
  return makeAttempt(attempt, await beginAgain(attempt, mined));
}

async function performCall(
  step: CallStep,
  progress: StepProgress | undefined,
  context: ChainContext,
): Promise<StepProgress | undefined> {
  const { known, chain } = context;
  const attempt: Attempt = {
    step,
    context,
    transaction: () => step.transaction(known),
    async findMissing({ hash }) {
      const unmet = await findUnmet(chain, step.reads(known));
      return unmet && `transaction ${hash} succeeded, but the chain does not confirm that ${unmet}`;
    },
  };
  // A transaction that is under way is followed to its end; otherwise the chain is asked first.
  if (progress?.hash && !progress.state) return makeAttempt(attempt, progress);
  const unmet = await findUnmet(chain, step.reads(known));
  if (unmet === undefined) return progress;
  if (progress?.state === 'mined' && !(await isOutdated(attempt, progress))) return progress;
  const before = progress?.state === 'mined' ? await beginAgain(attempt, progress) : progress;
  const mined = await makeAttempt(attempt, before);
  if (!mined) throw new AppError('Conflict', `the chain does not confirm that ${unmet}`);
  return mined;
}

/**
 * Whether a call that had its effect must be made again: the chain was rolled back past it, or it was about other
 * contracts. Otherwise someone has changed the chain since, for example the owner of the token: that is left alone.
 */
async function isOutdated({ context, transaction }: Attempt, { hash = '' }: StepProgress): Promise<boolean> {
  const sent = await readTransaction(context.chain, hash);
  const wanted = transaction();
  if (!sent || !wanted) return !sent;
  const isSame = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined || one.toLowerCase() === other.toLowerCase();
  return !isSame(wanted.data, sent.data) || !isSame(wanted.to, sent.to);
}

async function findUnmet(chain: TokenChain, reads: readonly Read[]): Promise<string | undefined> {
  const answers = await Promise.all(reads.map((read) => answerOf(chain, read)));
  return reads.find((read, index) => !read.isMet(answers[index]))?.what;
}
