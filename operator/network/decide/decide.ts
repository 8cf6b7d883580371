import { labels } from '../../../core/api/names.ts';
import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import { type DesiredStatus, type LifecycleContext, lifecycleContext } from '../lifecycle/context.ts';
import { type DataFate, decideBy, lifecycleChecks } from '../lifecycle/lifecycle.ts';
import {
  engineIncarnationOf,
  isOfIncarnation,
  isOfPlugin,
  pluginIncarnationOf,
} from '../render/childNames.ts';
import { endpointsOf } from '../status/endpoints.ts';
import { stopRequested } from '../status/ready.ts';
import { afterLoss, endOfChain, withChain } from './chain.ts';
import { blockers } from './checks/blockers.ts';
import { loss } from './checks/loss.ts';
import { preparation } from './checks/preparation.ts';
import { rights } from './checks/rights.ts';
import { run } from './checks/run.ts';
import type { Decision, NetworkCheck, NetworkContext, NetworkFacts, PlannedNetwork } from './facts.ts';
import { planNetwork } from './plan.ts';
import type { Questions } from './questions.ts';
import { onceSettled, settlingMs } from './settling.ts';

/** Desired children and status from observed facts. Pure. */
export function decide(observed: NetworkFacts): Decision {
  const decision = decideBy(checks, contextOf(observed));
  return {
    ...decision,
    asks: { ...decision.asks, ...lastBlockOf(observed, decision) },
    status: withCurrentUrls(observed, decision.status),
  };
}

/** Whether to ask for the last block of a chain: its engine still runs it when the decision ends it. */
function lastBlockOf(
  { network, driver }: NetworkFacts,
  { status, isChainGone }: Decision,
): Pick<Questions, 'lastBlock'> | undefined {
  // A chain that is gone has another enclaveID already.
  if (isChainGone || !driver.headCall) return undefined;
  const { enclaveID, previousChain } = network.status ?? {};
  const isEnded =
    status.enclaveID === enclaveID && status.previousChain?.enclaveID !== previousChain?.enclaveID;
  return isEnded ? { lastBlock: driver.headCall } : undefined;
}

/** A rotation replaces the URLs in every state of the network. */
function withCurrentUrls(facts: NetworkFacts, status: DesiredStatus): DesiredStatus {
  if (!status.endpoints) return status;
  return { ...status, endpoints: endpointsOf(Object.keys(status.endpoints), 'public', facts) };
}

const fates: Record<DataFate, string> = {
  kept: 'its data is kept on its volume',
  deleted: 'its data is deleted',
  untilWake: 'its chain ends when it wakes, because a new one was requested',
};

/** In this order; the first check with an outcome decides. */
const checks: readonly NetworkCheck[] = [
  // deletion, stop, quota
  ...lifecycleChecks<NetworkFacts>({
    consequence: (fate) => `${fates[fate]}. Any request or spec change wakes it`,
    isEnding: ({ pods }) => pods.length > 0,
    isUntold: ({ pods }) => pods.some(({ metadata }) => !metadata.deletionTimestamp),
    kept: keptData,
    wait: { nextMs: settlingMs, message: onceSettled },
    writes: stopOf,
  }),
  // availability, chain id, fork source, references
  ...blockers,
  // what the cluster refuses
  rights,
  preparation,
  // what no node can restore
  loss,
  run,
];

/**
 * A persistent network that is stopped by hand keeps its volumes, as far as its data is on them, and the files that its
 * chain began with: another genesis, as of a workspace with new members, would not fit the data.
 */
function keptData({ observed, isPersistent }: LifecycleContext<NetworkFacts>): KubeObject[] {
  const { network, volumeClaims = [], files = [] } = observed;
  if (!isPersistent || network.status?.storage !== 'Volume') return [];
  const isOf = (incarnations: string[]) => (child: KubeObject) =>
    incarnations.some((one) => isOfIncarnation(child, one)) && !child.metadata.deletionTimestamp;
  const [chain, plugins] = [engineIncarnationOf(network), pluginIncarnationOf(network)];
  const volumes = volumeClaims.filter(isOf([chain, plugins]));
  if (volumes.length === 0) return [];
  return [...volumes, ...files.filter((file) => isOf([chain])(file) && !isOfPlugin(file))];
}

/** The next engine starts with the values of the spec. */
function stopOf(
  facts: NetworkFacts,
  { cause, keepsData }: { cause: string; keepsData: boolean },
): DesiredStatus {
  const { previousChain } = facts.network.status ?? {};
  const reason =
    cause === stopRequested ? 'the network was stopped on request' : 'the network stopped when idle';
  const ended = keepsData ? previousChain : endOfChain(facts, reason);
  const incarnation = afterLoss(facts.network, ended);
  return {
    previousChain: ended,
    incarnation: incarnation && {
      ...incarnation,
      ...(keepsData ? {} : { copies: undefined }),
      adjusted: undefined,
    },
  };
}

const podsOf = ({ pods }: NetworkFacts, incarnation: string) =>
  pods.filter(({ metadata }) => metadata.labels?.[labels.incarnation] === incarnation);

function contextOf(observed: NetworkFacts): NetworkContext {
  const context = lifecycleContext(observed);
  const { facts, writes } = withChain(context.facts, context.maintenance);
  const incarnation = engineIncarnationOf(facts.network);
  let plan: PlannedNetwork | undefined;
  return {
    ...context,
    facts,
    writes: {
      begun: { ...context.writes.begun, ...writes },
      starting: { ...context.writes.starting, ...writes },
      ready: { ...context.writes.ready, ...writes },
    },
    incarnation,
    engines: podsOf(facts, incarnation).filter((pod) => !isOfPlugin(pod)),
    pluginPods: podsOf(facts, pluginIncarnationOf(facts.network)).filter(isOfPlugin),
    planned() {
      plan ??= planNetwork({ ...context, facts, incarnation });
      return plan;
    },
  };
}
