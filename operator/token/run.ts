import { findById, originOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import { isAnchored } from '../../core/deploy/anchor.ts';
import type { TokenPorts } from '../../core/deploy/ports.ts';
import { runSteps } from '../../core/deploy/runner.ts';
import type { ChainReader } from '../../core/evm/chainReader.ts';
import { readReceipt } from '../../core/evm/receipts.ts';
import { isKnownTransaction } from '../../core/evm/transactions.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, isAppError, messageOf } from '../../core/lib/errors.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import type { TokenPlan } from '../../core/tokens/standard.ts';
import { errorAbisOf, standardOf } from '../../core/tokens/standards.ts';
import type { KeyHolder } from '../ports/signers.ts';
import { isAsked, isUnverified, lost } from './deploymentState.ts';
import type { TokenDeps } from './deps.ts';
import { type Finish, finish } from './finish.ts';
import { type PlannedDeployment, plannedOf } from './planned.ts';
import { followProgress } from './progress.ts';
import { withDeployment } from './status.ts';
import type { UpdateStatus } from './statusWriter.ts';

export interface RunContext {
  deps: TokenDeps;
  updateStatus: UpdateStatus;
  signal: AbortSignal;
}

/**
 * Takes all remaining steps of a token, on all of its networks in parallel, and reports them. A problem on one
 * network does not block the others. Rejects with Unavailable when a retry soon is worthwhile.
 */
export async function runToken(token: Stored<TokenResource>, context: RunContext): Promise<Finish> {
  const { deps, updateStatus } = context;
  const uid = token.metadata.uid;
  const known = plannedOf(deps, token);
  try {
    const planned = await withoutLost(known, token, context);
    return await deploy(token, planned, context);
  } catch (error) {
    if (!isAppError(error) || error.isRetryable) throw error;
    // A problem with the key or the contracts: it concerns everything that is not deployed.
    const message = cut(messageOf(error), 1000);
    await updateStatus(uid, (deployments) =>
      deployments.map(({ isRepaired = false, ...one }) => {
        if (one.state === 'Deployed') return isRepaired ? { ...one, message } : one;
        return one.state === 'Deploying' || one.state === 'Error' ? { ...one, state: 'Error', message } : one;
      }),
    );
    return { hasFailed: true };
  }
}

async function deploy(
  token: Stored<TokenResource>,
  planned: PlannedDeployment[],
  context: RunContext,
): Promise<Finish> {
  const { deps, updateStatus, signal } = context;
  const { namespace, uid } = token.metadata;
  const standard = standardOf(token.spec.type);
  const signers = { deployer: deps.signers.ownerOf(token), service: deps.signers.serviceOf(namespace) };
  const plan = planOf(token, planned, signers);
  const steps = standard.steps(plan, deps.contracts);
  const follower = followProgress({ planned, steps, standard, plan, updateStatus, uid, clock: deps.clock });
  const ports: TokenPorts = {
    accounts: plan.accounts,
    clock: deps.clock,
    progress: follower.watch(deps.journals.progressIn(namespace)),
    chain: async (id) => {
      const one = planned.find(({ network }) => network.id === id);
      if (!one) throw new AppError('Internal', `network ${id} is not planned`);
      const { enclaveID, network } = one;
      const isOlder = network.incarnation !== enclaveID;
      return deps.chainOf(id, { namespace, enclaveID, isOlder, signers, signal });
    },
  };
  const result = await runSteps({
    steps,
    ports,
    abis: errorAbisOf(token.spec.type, deps.contracts),
    repeats(id) {
      const isRequested = planned.some(({ network, status }) => network.id === id && isAsked(status));
      return { failed: isRequested, undone: isRequested, remedy: 'deploy the token again on this network' };
    },
    signal,
    onDone: follower.onDone,
  });
  await follower.settled();
  return finish({
    planned,
    steps,
    result,
    updateStatus,
    uid,
    isConnected: standard.isConnected === true,
    onUsable: (one) => follower.onUsable(one, result.known),
  });
}

function planOf(
  token: Stored<TokenResource>,
  planned: readonly PlannedDeployment[],
  { deployer, service }: Record<'deployer' | 'service', KeyHolder>,
): TokenPlan {
  const { name, symbol, decimals, mechanism } = token.spec;
  return {
    id: originOf(token),
    name,
    symbol,
    decimals,
    ...compact({ mechanism }),
    networks: planned.map(({ network }) => network),
    accounts: { deployer: deployer.address, service: service.address },
  };
}

/**
 * Checks whether deployments still exist: on chains that run under another incarnation, and those that are deployed,
 * because a chain can be rolled back past their transactions.
 */
async function withoutLost(
  planned: readonly PlannedDeployment[],
  token: Stored<TokenResource>,
  { deps, updateStatus, signal }: RunContext,
): Promise<PlannedDeployment[]> {
  const checked = await Promise.all(
    planned.map(async (found) => {
      const { namespace } = token.metadata;
      const network = findById(deps.caches.networks, namespace, found.network.id);
      const { standing, isRolledBack } = await checkDeployment(found, { deps, network, signal });
      const one = { ...found, isRolledBack };
      // What was undone and has been asked for again is made again by its steps.
      if (standing === 'same' || (standing === 'undone' && isAsked(one.status))) return [one];
      await updateStatus(token.metadata.uid, (deployments) =>
        withDeployment(deployments, one.status, (present) =>
          standing === 'kept' ? { ...present, enclaveID: one.enclaveID } : lost(present, reasons[standing]),
        ),
      );
      return standing === 'kept' ? [one] : [];
    }),
  );
  return checked.flat();
}

const reasons = {
  replaced: 'the network began a new chain: the token is gone; deploy it again',
  undone: "the network's chain was rolled back past the deployment: the token is gone; deploy it again",
};

interface CheckContext extends Pick<RunContext, 'deps' | 'signal'> {
  network: Stored<NetworkResource> | undefined;
}

interface DeploymentCheck {
  /** `kept`: a new incarnation has the deployment. `replaced`: it does not. `undone`: the same one no longer has it. */
  standing: 'same' | 'kept' | keyof typeof reasons;
  isRolledBack: boolean;
}

/** While the chain has the anchor, it has the deployment, even if its node no longer finds old transactions. */
async function checkDeployment(
  one: PlannedDeployment,
  { deps, network, signal }: CheckContext,
): Promise<DeploymentCheck> {
  const { deploymentTx: hash, anchor, state } = one.status;
  const isNew = isUnverified(one.status, network);
  const unknown: DeploymentCheck = { standing: 'same', isRolledBack: false };
  if ((!hash && !anchor) || (!isNew && state !== 'Deployed')) return unknown;
  const [kept, gone] = isNew ? (['kept', 'replaced'] as const) : (['same', 'undone'] as const);
  const ask = async (): Promise<DeploymentCheck> => {
    const { namespace = '' } = network?.metadata ?? {};
    const chain = deps.chainOf(one.network.id, {
      namespace,
      enclaveID: one.enclaveID,
      signers: {},
      signal,
    });
    const hasAnchor = anchor !== undefined && (await isAnchored(chain, anchor));
    const isThere = hasAnchor || !hash || (await isFound(chain, hash, isNew));
    return { standing: isThere ? kept : gone, isRolledBack: anchor !== undefined && !hasAnchor };
  };
  if (isNew) return ask();
  // A network that does not answer is reported by its steps, and does not keep the others waiting.
  return ask().catch(() => unknown);
}

/** On another incarnation, only what is in a block was kept. */
async function isFound(chain: ChainReader, hash: string, isNew: boolean): Promise<boolean> {
  if (isNew) return (await readReceipt(chain, hash)) !== undefined;
  return isKnownTransaction(chain, hash);
}
