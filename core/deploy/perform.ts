import { codeAt } from '../evm/contractCalls.ts';
import { readReceipt } from '../evm/receipts.ts';
import { isKnownTransaction, readTransaction } from '../evm/transactions.ts';
import { AppError } from '../lib/errors.ts';
import { type Anchor, findBlockOf } from './anchor.ts';
import {
  type Attempt,
  beginAgain,
  type ChainContext,
  checkMayRepeat,
  makeAttempt,
  type Performed,
  save,
  undoneReason,
} from './attempt.ts';
import type { TokenChain } from './ports.ts';
import type { StepProgress } from './progress.ts';
import { answerOf } from './reads.ts';
import type { PerformContext } from './runContext.ts';
import type { CallStep, CreateStep, Known, Read, Step } from './step.ts';

/**
 * Performs one step, unless it has been performed already; later steps then know what it yields. Throws AppError:
 * retryable while the chain cannot be asked, otherwise final.
 */
export async function performStep(step: Step, context: PerformContext): Promise<Partial<Performed>> {
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
  return performed ?? {};
}

async function performCreation(
  step: CreateStep,
  progress: StepProgress | undefined,
  context: ChainContext,
): Promise<Performed | undefined> {
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
      ? await keepContract(attempt, progress, step)
      : await makeAttempt(attempt, progress);
  if (mined?.progress.address) known.set(step.network, step.name, mined.progress.address);
  return mined;
}

/**
 * A contract that was created earlier is recognized by its transaction and its code. Code alone says nothing: after a
 * rollback, other transactions get the same nonces, and other contracts stand at the same addresses.
 */
async function keepContract(
  attempt: Attempt,
  mined: StepProgress,
  step: CreateStep,
): Promise<Performed | undefined> {
  const { address = '', hash = '' } = mined;
  const standing = await standingOf(attempt.context.chain, mined);
  if (standing === 'undone') return repeat(attempt, mined, undoneReason(hash));
  if (standing === 'open') return followAgain(attempt, mined);
  if ((await codeAt(attempt.context.chain, address)) === '0x') {
    return repeat(attempt, mined, `the contract at ${address} no longer exists: it was removed`);
  }
  if (await namesWhatIsThere(attempt, mined, step)) return keep(attempt, mined, standing);
  const others = 'contracts that are no longer there';
  return repeat(attempt, mined, `the contract at ${address} was created with the addresses of ${others}`);
}

/**
 * Whether a contract was created with the addresses that its predecessors have. A run that goes on while the chain is rolled back
 * creates contracts for predecessors that are gone by then. Its code may be another one by now: versions differ.
 */
async function namesWhatIsThere(
  { context: { chain, known } }: Attempt,
  { hash = '' }: StepProgress,
  step: CreateStep,
): Promise<boolean> {
  const named = addressesIn(step, known);
  const sent = named.length > 0 ? await readTransaction(chain, hash) : undefined;
  return !sent || named.every((address) => sent.data.toLowerCase().includes(address));
}

/**
 * The addresses of created contracts that a creation takes, without their prefix. Values that were read on the chain have a dot in
 * their names.
 */
function addressesIn(step: CreateStep, known: Known): string[] {
  const found = new Set<string>();
  const note = <T extends string | undefined>(name: string, value: T): T => {
    if (!name.includes('.') && value) found.add(value.slice(2).toLowerCase());
    return value;
  };
  step.initCode({
    get: (network, name) => note(name, known.get(network, name)),
    find: (network, name) => note(name, known.find(network, name)),
  });
  return [...found];
}

/**
 * The block that a transaction that had succeeded is in now. `open`: a reorganization took that block, and the transaction
 * waits again or had another effect in the new one.
 */
async function standingOf(chain: TokenChain, mined: StepProgress): Promise<Anchor | 'open' | 'undone'> {
  const { hash = '' } = mined;
  const receipt = await readReceipt(chain, hash);
  if (receipt?.isSuccess) return { block: receipt.block, hash: receipt.blockHash };
  if (receipt || (await isKnownTransaction(chain, hash))) return 'open';
  return (await findBlockOf(chain, mined)) ?? 'undone';
}

/** The block that stands for a step is stored: later runs may ask for it. */
async function keep(attempt: Attempt, mined: StepProgress, anchor: Anchor): Promise<Performed> {
  const progress = { ...mined, block: anchor.block, blockHash: anchor.hash };
  const isMoved = mined.blockHash !== undefined && mined.blockHash !== anchor.hash;
  return { progress: isMoved ? await save(attempt, progress) : progress, anchor };
}

const followAgain = (attempt: Attempt, { attempt: count, hash = '' }: StepProgress) =>
  makeAttempt({ ...attempt, wasDone: true }, { attempt: count, hash });

/** Repeats what the chain has lost, if somebody has asked for that. */
async function repeat(attempt: Attempt, mined: StepProgress, reason: string): Promise<Performed | undefined> {
  checkMayRepeat(attempt, reason);
  return makeAttempt(attempt, await beginAgain(attempt, mined));
}

async function performCall(
  step: CallStep,
  progress: StepProgress | undefined,
  context: ChainContext,
): Promise<Performed | undefined> {
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
  if (unmet === undefined) return progress && found(attempt, progress);
  if (progress?.state === 'mined') return keepCall(attempt, progress, unmet);
  return demand(await makeAttempt(attempt, progress), unmet);
}

/**
 * A call that had its effect is made again if the chain was rolled back past it, or if it was about other contracts.
 * Otherwise someone has changed the chain since, for example the owner of the token: that is usually left alone.
 */
async function keepCall(attempt: Attempt, mined: StepProgress, unmet: string): Promise<Performed> {
  const { chain, repeats } = attempt.context;
  const standing = await standingOf(chain, mined);
  if (standing === 'undone')
    return demand(await repeat(attempt, mined, undoneReason(mined.hash ?? '')), unmet);
  const isSame = await isAsWanted(attempt, mined);
  if (isSame && standing === 'open') return demand(await followAgain(attempt, mined), unmet);
  if (isSame && standing !== 'open' && !repeats.changed) return keep(attempt, mined, standing);
  return demand(await makeAttempt(attempt, await beginAgain(attempt, mined)), unmet);
}

/** Whether a step would send the same again, as far as the node still knows what it sent. */
async function isAsWanted(attempt: Attempt, { hash = '' }: StepProgress): Promise<boolean> {
  const wanted = attempt.transaction();
  const sent = wanted && (await readTransaction(attempt.context.chain, hash));
  const isSame = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined || one.toLowerCase() === other.toLowerCase();
  return !sent || (isSame(wanted.data, sent.data) && isSame(wanted.to, sent.to));
}

function demand(performed: Performed | undefined, unmet: string): Performed {
  if (!performed) throw new AppError('Conflict', `the chain does not confirm that ${unmet}`);
  return performed;
}

/** A call whose effect is there, with the block of its transaction if the chain has that too. */
async function found(attempt: Attempt, progress: StepProgress): Promise<Performed> {
  const standing = progress.state === 'mined' && (await standingOf(attempt.context.chain, progress));
  return typeof standing === 'object' ? keep(attempt, progress, standing) : { progress };
}

async function findUnmet(chain: TokenChain, reads: readonly Read[]): Promise<string | undefined> {
  const answers = await Promise.all(reads.map((read) => answerOf(chain, read)));
  return reads.find((read, index) => !read.isMet(answers[index]))?.what;
}
