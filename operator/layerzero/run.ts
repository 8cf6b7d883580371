import { originOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { type LayerZeroPlan, layerZeroSteps } from '../../core/crosschain/layerzero/layerZeroNetwork.ts';
import {
  endpointStep,
  type LayerZeroMember,
  layerZeroScope,
  messageLibStep,
} from '../../core/crosschain/layerzero/members.ts';
import type { TokenPorts } from '../../core/deploy/ports.ts';
import { type RunResult, runSteps, summarise } from '../../core/deploy/runner.ts';
import type { Known, Step } from '../../core/deploy/step.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { createVerifyChain } from '../ports/verifyChain.ts';
import { findRolledBack, rememberAnchors } from './anchors.ts';
import type { LayerZeroDeps } from './deps.ts';
import { scopeOf } from './endpoints.ts';
import {
  type Endpoint,
  type MemberEndpoint,
  type Memory,
  type RunOutcome,
  unverifiedKey,
  type WireOrder,
} from './facts.ts';

interface WireContext {
  deps: LayerZeroDeps;
  memory: Memory;
  signal: AbortSignal;
  /** Called when an endpoint has been deployed or found. */
  onEndpoint(): void;
}

type Outcome = Omit<RunOutcome, 'key' | 'failures'>;

/** Executes an order on the chains. Steps that a previous operator completed are not repeated. */
export async function wire(
  network: Stored<NetworkResource>,
  order: WireOrder,
  context: WireContext,
): Promise<Outcome> {
  try {
    if (order.unverified.length > 0) return await verifyChains(network, order, context);
    return await takeSteps(network, order, context);
  } catch (error) {
    const isPermanent = isAppError(error) && !error.isRetryable;
    return { state: isPermanent ? 'failed' : 'retry', message: cut(messageOf(error), 1000) };
  }
}

/** Checks which members kept the chain that their endpoint is on. */
async function verifyChains(
  network: Stored<NetworkResource>,
  { unverified }: WireOrder,
  { deps, memory }: WireContext,
): Promise<Outcome> {
  const { namespace } = network.metadata;
  const verifyChain = createVerifyChain({ networks: deps.caches.networks, chainOf: deps.chainOf });
  for (const unverifiedChain of unverified) {
    const member: LayerZeroMember = {
      id: unverifiedChain.id,
      incarnation: unverifiedChain.deployment,
      eid: 0,
    };
    const progress = await deps.journals
      .progressIn(namespace)
      .load(layerZeroScope({ id: originOf(network) }, member));
    const standing = await verifyChain({
      namespace,
      network: unverifiedChain.id,
      incarnation: unverifiedChain.incarnation,
      mined: progress[endpointStep],
    });
    if (standing === 'unknown')
      return { state: 'retry', message: 'waiting to verify that a member kept its chain' };
    memory.verified.set(unverifiedKey(unverifiedChain), standing);
  }
  return { state: 'done' };
}

async function takeSteps(
  network: Stored<NetworkResource>,
  order: WireOrder,
  { deps, memory, signal, onEndpoint }: WireContext,
): Promise<Outcome> {
  const { namespace } = network.metadata;
  const signers = { deployer: deps.signers.ownerOf(network), service: deps.signers.serviceOf(namespace) };
  const plan = planOf(network, order, signers.service.address);
  const steps = layerZeroSteps(plan, deps.contracts);
  const ports: TokenPorts = {
    accounts: { deployer: signers.deployer.address, service: signers.service.address },
    clock: deps.clock,
    progress: deps.journals.progressIn(namespace),
    chain: async (id) => {
      const { enclaveID = '', incarnation } = order.endpoints.find((one) => one.id === id) ?? {};
      return deps.chainOf(id, {
        namespace,
        enclaveID,
        signers,
        signal,
        isOlder: incarnation !== enclaveID,
      });
    },
  };
  const rolledBack = await findRolledBack(order, { deps, namespace, signal });
  const result = await runSteps({
    steps,
    ports,
    abis: [deps.contracts.layerzero('Endpoint').abi, deps.contracts.layerzero('MessageLib').abi],
    // Failed steps are retried with backoff, because a member's chain may recover. What somebody undid waits for a Restart.
    repeats: () => ({
      failed: true,
      undone: order.isCheck,
      changed: order.isCheck,
      remedy: 'request a Restart',
    }),
    signal,
    onDone(step, known) {
      const member = order.endpoints.find(({ id }) => id === step.network);
      const endpoint = member && endpointIn(known, step);
      if (member && endpoint && remember(memory, member, endpoint)) onEndpoint();
    },
  });
  const outcome = verdictOf(order, steps, result);
  if (outcome.state === 'done') rememberAnchors(memory, order, { ...result, rolledBack });
  return { ...outcome, isRolledBack: rolledBack.size > 0 };
}

/** Whether it was new. */
function remember({ endpoints }: Memory, member: MemberEndpoint, endpoint: Endpoint): boolean {
  const before = endpoints.get(scopeOf(member));
  if (before?.endpoint === endpoint.endpoint && before.messageLib === endpoint.messageLib) return false;
  endpoints.set(scopeOf(member), endpoint);
  return true;
}

function planOf(network: Stored<NetworkResource>, order: WireOrder, service: string): LayerZeroPlan {
  const members = order.endpoints.map(({ id, deployment, eid }) => ({ id, incarnation: deployment, eid }));
  return { id: originOf(network), members, connections: order.connections, service };
}

/** Both contracts, once the second one was found on the chain: what a journal says may be gone. */
function endpointIn(known: Known, { network, name }: Step): Endpoint | undefined {
  if (name !== messageLibStep) return undefined;
  const [endpoint, messageLib] = [known.find(network, endpointStep), known.find(network, messageLibStep)];
  return endpoint && messageLib ? { endpoint, messageLib } : undefined;
}

/** Reports a permanent failure of a member before one that may pass. */
function verdictOf({ endpoints }: WireOrder, steps: readonly Step[], result: RunResult): Outcome {
  const outcomes = endpoints.map((endpoint) => ({ endpoint, ...summarise(endpoint.id, steps, result) }));
  const worst =
    outcomes.find(({ state }) => state === 'failed') ?? outcomes.find(({ state }) => state === 'retry');
  if (!worst) return { state: 'done' };
  const text = endpoints.reduce(
    (message, { id, name }) => message.replaceAll(id, `"${name}"`),
    worst.message ?? 'is not ready',
  );
  const state = worst.state === 'failed' ? 'failed' : 'retry';
  return { state, message: cut(`member "${worst.endpoint.name}": ${text}`, 1000) };
}
