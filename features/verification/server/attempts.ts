import { randomBytes } from 'node:crypto';
import type { ContractPlace } from '../../../apiserver/contracts.ts';
import type { BudgetMetrics } from '../../../apiserver/http/limits/budgetMetrics.ts';
import type { ShareOf } from '../../../core/accounts/shares/shares.ts';
import type { ChainReader } from '../../../core/evm/chainReader.ts';
import { type Creation, type DeployedCode, readCreation } from '../../../core/evm/deployedCode.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { redact } from '../../../core/lib/redact.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import { createTally } from '../../../core/lib/work/tally.ts';
import type { VerifiedContractSpec } from '../api/verifiedContract.ts';
import { type BudgetDeps, checkBudget } from './budget.ts';
import { compareCreation, compareRuntime } from './compare.ts';
import { type Compile, type CompiledContract, compileLimitMs } from './compile.ts';
import { type ContractStore, findContract, storeAttempt, storeOutcome } from './contracts.ts';
import { packDetails } from './details.ts';
import type { Submission } from './submission.ts';

export interface AttemptsDeps extends Omit<BudgetDeps, 'kube' | 'nowMs'> {
  kube: ContractStore;
  compile: Compile;
  budgets: Pick<BudgetMetrics, 'refused'>;
  /** Whose share a workspace takes. */
  shareOf: ShareOf;
  clock: Clock;
  log: Log;
}

interface Begin {
  place: ContractPlace;
  deployed: DeployedCode;
  submission: Submission;
  chain: ChainReader;
  /** Called once the attempt has ended, or was refused. */
  onEnd(): void;
}

export interface Attempts {
  /** Starts to verify and returns the id of the attempt. TooManyRequests over a budget, Conflict while one runs. */
  begin(attempt: Begin): Promise<string>;
}

/** In each replica. */
const maxAtOnce = { network: 4, 'owner of the network': 8 };
/** A replica that is still at work by then has ended. */
const lostMs = compileLimitMs + 30_000;
const maxMessage = 4000;

/** Verifies contracts in the background. How an attempt ended is stored with the contract, for all replicas. */
export function createAttempts(deps: AttemptsDeps): Attempts {
  const take = createTake(deps);

  async function start({ place, ...rest }: Begin): Promise<{ id: string; work: Promise<void> }> {
    const known = await findContract(deps.kube, place);
    const isUnderWay = known !== undefined && errorOf(known.spec.attempt, deps.clock) === 'pending';
    if (isUnderWay) throw underWay();
    if (!known) await checkBudget({ ...deps, nowMs: deps.clock.nowMs }, place);
    const id = randomBytes(8).toString('hex');
    const attempt = { id, startedAt: toRfc3339(deps.clock.nowMs()) };
    await storeAttempt(deps.kube, place, attempt).catch((error: unknown) => {
      // Another replica was faster.
      throw isAppError(error, 'Conflict') ? underWay() : error;
    });
    return { id, work: finish(deps, { place, attempt, ...rest }) };
  }

  return {
    async begin(attempt) {
      let release = () => {};
      const end = () => {
        release();
        attempt.onEnd();
      };
      try {
        release = take(attempt.place.network);
        const { id, work } = await start(attempt);
        void work.finally(end);
        return id;
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

/** Takes a place of a network and of its owner; the answer gives it back. Throws TooManyRequests if there is none. */
function createTake({ budgets, shareOf }: Pick<AttemptsDeps, 'budgets' | 'shareOf'>) {
  const running = createTally();
  return ({ metadata: { uid, namespace } }: ContractPlace['network']): (() => void) => {
    const places = [
      ['network', `network/${uid}`],
      ['owner of the network', shareOf(namespace)],
    ] as const;
    const full = places.find(([kind, holder]) => running.of(holder) >= maxAtOnce[kind]);
    if (full) {
      budgets.refused('verifications');
      throw tooMany(full[0]);
    }
    const count = (by: number) => {
      for (const [, holder] of places) running.add(holder, by);
    };
    count(1);
    return () => count(-1);
  };
}

function tooMany(kind: keyof typeof maxAtOnce): AppError {
  const message = `${maxAtOnce[kind]} contracts of the ${kind} are being verified, as many as may be at a time: wait for one of them`;
  return new AppError('TooManyRequests', message, { retryAfterSeconds: 5 });
}

function underWay(): AppError {
  return new AppError('TooManyRequests', 'the contract is being verified already', { retryAfterSeconds: 5 });
}

type Failure = NonNullable<VerifiedContractSpec['attempt']['error']>;

/** How an attempt ended: undefined if it succeeded. One whose replica is gone has failed. */
export function errorOf(
  { finishedAt, startedAt, error }: VerifiedContractSpec['attempt'],
  clock: Pick<Clock, 'nowMs'>,
): Failure | 'pending' | undefined {
  if (finishedAt !== undefined) return error;
  if (clock.nowMs() - (parseRfc3339(startedAt) ?? 0) < lostMs) return 'pending';
  return {
    code: 'internal_error',
    message: 'the service was restarted meanwhile: submit the contract again',
  };
}

type Running = Omit<Begin, 'onEnd'> & { attempt: VerifiedContractSpec['attempt'] };

/** Never rejects. */
async function finish(deps: AttemptsDeps, { place, attempt, ...given }: Running): Promise<void> {
  const ended = (more: Partial<VerifiedContractSpec['attempt']>) => ({
    ...attempt,
    finishedAt: toRfc3339(deps.clock.nowMs()),
    ...more,
  });
  try {
    const verified = await verify(deps, { place, ...given });
    await storeOutcome(deps.kube, place, { attempt: ended({}), verified });
  } catch (thrown) {
    if (!isAppError(thrown))
      deps.log.error('a contract could not be verified', { reason: messageOf(thrown) });
    const error = failureOf(thrown);
    await storeOutcome(deps.kube, place, { attempt: ended({ error }) }).catch((failure: unknown) =>
      deps.log.warn('the outcome of a verification could not be stored', { reason: messageOf(failure) }),
    );
  }
}

async function verify(
  { compile, clock, shareOf }: AttemptsDeps,
  { place, deployed, submission, chain }: Omit<Running, 'attempt'>,
): Promise<NonNullable<VerifiedContractSpec['verified']>> {
  const { creationTxHash } = submission;
  const account = shareOf(place.network.metadata.namespace);
  const creation = creationTxHash && (await readCreation(chain, creationTxHash, place.address));
  const compiled = await compile(account, submission);
  const runtimeMatch = compareRuntime(deployed.code, compiled.evm.deployedBytecode);
  if (!runtimeMatch) throw mismatch(deployed, compiled);
  const created = creation ? creationOf(creation, compiled) : undefined;
  return {
    address: deployed.address,
    name: `${submission.path}:${submission.name}`,
    compiler: submission.compiler,
    match: created?.creationMatch === 'exact_match' ? 'exact_match' : runtimeMatch,
    runtimeMatch,
    ...created,
    codeHash: deployed.codeHash,
    verifiedAt: toRfc3339(clock.nowMs()),
    ...(await packDetails({ abi: compiled.abi, input: submission.input })),
  };
}

function creationOf({ hash, input }: Creation, { abi, evm }: CompiledContract) {
  const inputs = abi.find(({ type }) => type === 'constructor')?.inputs;
  const hasArguments = Array.isArray(inputs) && inputs.length > 0;
  const found = compareCreation(input, { object: evm.bytecode.object, hasArguments });
  if (!found)
    throw new AppError('BadRequest', `the transaction ${hash} has other creation code than the sources`);
  return compact({
    creationMatch: found.match,
    creationTxHash: hash,
    constructorArguments: hasArguments ? found.constructorArguments : undefined,
  });
}

function mismatch({ address, code }: DeployedCode, { evm }: CompiledContract): AppError {
  const lengths = `${code.length / 2 - 1} bytes on the chain, ${evm.deployedBytecode.object.length / 2} compiled`;
  const hint = 'check the version and the settings of the compiler, and the addresses of libraries';
  return new AppError(
    'Conflict',
    `the sources compile to other bytecode than ${address} has (${lengths}): ${hint}`,
  );
}

const codes: Partial<Record<AppError['reason'], string>> = {
  Conflict: 'no_match',
  NotFound: 'unsupported_compiler_version',
  BadRequest: 'compiler_error',
  TooLarge: 'contract_too_large',
};

function failureOf(thrown: unknown): Failure {
  if (!isAppError(thrown)) return { code: 'internal_error', message: 'an internal error: submit it again' };
  return {
    code: codes[thrown.reason] ?? 'internal_error',
    message: cut(redact(thrown.message), maxMessage),
  };
}
