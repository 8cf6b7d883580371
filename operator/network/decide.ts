import type { Condition } from '../../core/api/common.ts';
import { labels } from '../../core/api/names.ts';
import type { NetworkState, NetworkStatus } from '../../core/api/network.ts';
import type { EnginePlan } from '../../core/chains/driver.ts';
import { parseRfc3339, toRfc3339 } from '../../core/lib/clock.ts';
import { hashOf } from '../../core/lib/hash.ts';
import { incarnationOf, renderChildren } from './children.ts';
import { endpointsOf } from './endpoints.ts';
import type { Decision, DesiredStatus, NetworkFacts } from './facts.ts';
import { chainIdOf, chainSpecHashOf, obstacleOf, planInputOf } from './plan.ts';
import { type PodState, podStateOf } from './podState.ts';
import { renderProgress, type Step } from './progress.ts';

/** How soon to look again at what may pass without an event: a missing secret, a full node. */
const recheckMs = 2_000;

/** What shall be, from what is: a pure function. */
export function decide(facts: NetworkFacts): Decision {
  if (facts.network.metadata.deletionTimestamp) return decideDeletion(facts);
  const obstacle = obstacleOf(facts);
  const chainId = chainIdOf(facts);
  if (obstacle || chainId === undefined || !facts.driver) {
    return decideObstacle(
      facts,
      obstacle ?? { reason: 'NotAvailable', message: 'no driver', isPassing: false },
    );
  }
  const plan = facts.driver.plan(planInputOf(facts, chainId));
  const children = renderChildren({ ...facts, plan, forkSource: forkSourceOf(facts) });
  const state = weakestOf(plan, facts);
  return { children, status: statusOfRun(facts, { plan, state, chainId }), ...recheckOf(state) };
}

function decideDeletion(facts: NetworkFacts): Decision {
  const message = 'the network is being deleted';
  return { children: [], status: { ...keep(facts), ...stateOf(facts, 'Stopping', 'Deleting', message) } };
}

/** What runs keeps running: a secret that went missing later takes nothing away. */
function decideObstacle(
  facts: NetworkFacts,
  obstacle: { reason: string; message: string; isPassing: boolean },
): Decision {
  const hasRun = facts.network.status?.chainSpecHash === chainSpecHashOf(facts.network);
  const engines = facts.pods.filter(
    (pod) => pod.metadata.labels?.[labels.incarnation] === incarnationOf(facts.network),
  );
  if (hasRun && engines.length > 0) {
    const state = engines.map((pod) => podStateOf(pod)).find(({ phase }) => phase !== 'ready');
    const word: NetworkState = state ? 'Pending' : 'Operational';
    const message = `${state?.message ?? 'running'}; cannot be provisioned anew: ${obstacle.message}`;
    return {
      children: undefined,
      status: { ...keep(facts), ...stateOf(facts, word, obstacle.reason, message) },
    };
  }
  const execution = renderProgress({ step: 1, problem: obstacle.message, done: [] });
  const word: NetworkState = obstacle.isPassing ? 'Pending' : 'Error';
  const status = { ...keep(facts), execution, ...stateOf(facts, word, obstacle.reason, obstacle.message) };
  return {
    children: hasRun ? undefined : [],
    status,
    requeueAfterMs: obstacle.isPassing ? recheckMs : 60_000,
  };
}

function forkSourceOf(facts: NetworkFacts): string | undefined {
  return facts.network.spec.chain && planInputOf(facts, '0').fork ? facts.forkSource : undefined;
}

/** The state of the part that is least far. */
function weakestOf(plan: EnginePlan, facts: NetworkFacts): PodState {
  const order: PodState['phase'][] = [
    'failed',
    'dead',
    'ending',
    'absent',
    'unscheduled',
    'starting',
    'ready',
  ];
  const incarnation = incarnationOf(facts.network);
  const states = plan.parts.map((part) =>
    podStateOf(
      facts.pods.find(
        ({ metadata }) =>
          metadata.labels?.[labels.part] === part.name && metadata.labels[labels.incarnation] === incarnation,
      ),
    ),
  );
  const [weakest] = states.sort((a, b) => order.indexOf(a.phase) - order.indexOf(b.phase));
  return weakest ?? { phase: 'absent', message: 'nothing to run' };
}

const stepOfPhase: Record<PodState['phase'], Step> = {
  absent: 3,
  ending: 3,
  dead: 3,
  unscheduled: 3,
  failed: 3,
  starting: 4,
  ready: 4,
};

interface Run {
  plan: EnginePlan;
  state: PodState;
  chainId: string;
}

function statusOfRun(facts: NetworkFacts, run: Run): DesiredStatus {
  const { state, chainId, plan } = run;
  const isReady = state.phase === 'ready';
  const word: NetworkState = isReady ? 'Operational' : state.phase === 'failed' ? 'Error' : 'Pending';
  const message = isReady ? ['running', ...plan.caveats].join('; ') : state.message;
  const done = [describeAccounts(facts), `chain id ${chainId}`];
  const execution = renderProgress({
    step: stepOfPhase[state.phase],
    isDone: isReady,
    done,
    ...(state.phase === 'failed' ? { problem: state.message } : { note: state.message }),
  });
  const before = facts.network.status;
  const enclaveID = enclaveIdOf(facts) ?? before?.enclaveID;
  const lastWakeUpAt = before?.lastWakeUpAt ?? (isReady ? toRfc3339(facts.nowMs) : undefined);
  return {
    ...keep(facts),
    ...(enclaveID ? { enclaveID } : {}),
    ...(lastWakeUpAt ? { lastWakeUpAt } : {}),
    execution,
    chainID: chainId,
    endpoints: endpointsOf(plan, {
      ...facts,
      ...facts.installation,
      networkUid: facts.network.metadata.uid ?? '',
    }),
    chainSpecHash: isReady ? chainSpecHashOf(facts.network) : before?.chainSpecHash,
    observedMaintenanceNonce: before?.observedMaintenanceNonce ?? 0,
    ...stateOf(facts, word, reasonOf(state), message),
  };
}

function describeAccounts({ hotKey, mnemonic }: NetworkFacts): string {
  const addresses = [hotKey, mnemonic].flatMap((reference) =>
    reference?.kind === 'addresses' ? reference.addresses : [],
  );
  if (addresses.length === 0) return 'no account is funded';
  const [first, ...others] = addresses;
  return others.length === 0 ? `funds ${first}` : `funds ${first} and ${others.length} more accounts`;
}

/** Changes whenever the chain's data may have been lost: another pod, or a restart of its container. */
function enclaveIdOf(facts: NetworkFacts): string | undefined {
  const incarnation = incarnationOf(facts.network);
  const lives = facts.pods
    .filter(
      ({ metadata }) => metadata.labels?.[labels.incarnation] === incarnation && !metadata.deletionTimestamp,
    )
    .map(({ metadata, status }) => [
      metadata.uid,
      status?.containerStatuses?.map(({ restartCount }) => restartCount),
    ]);
  return lives.length === 0 ? undefined : hashOf(lives).slice(0, 16);
}

const reasonOfPhase: Record<PodState['phase'], string> = {
  absent: 'Provisioning',
  ending: 'Provisioning',
  dead: 'EngineLost',
  unscheduled: 'Unschedulable',
  failed: 'EngineFailed',
  starting: 'Provisioning',
  ready: 'Operational',
};

function reasonOf(state: PodState): string {
  return reasonOfPhase[state.phase];
}

function recheckOf(state: PodState): { requeueAfterMs?: number } {
  return state.phase === 'ready' ? {} : { requeueAfterMs: 10_000 };
}

/** What outlives the present state. */
function keep(facts: NetworkFacts): DesiredStatus {
  const { lastActivityAt: _owned, ...status } = facts.network.status ?? {};
  return { observedMaintenanceNonce: 0, ...status };
}

function stateOf(
  facts: NetworkFacts,
  state: NetworkState,
  reason: string,
  message: string,
): Pick<NetworkStatus, 'state' | 'message' | 'observedGeneration' | 'conditions'> {
  const observedGeneration = facts.network.metadata.generation ?? 0;
  const status = state === 'Operational' ? 'True' : 'False';
  const former = facts.network.status?.conditions?.find(({ type }) => type === 'Ready');
  const lastTransitionTime =
    former && former.status === status && parseRfc3339(former.lastTransitionTime) !== undefined
      ? former.lastTransitionTime
      : toRfc3339(facts.nowMs);
  const ready: Condition = { type: 'Ready', status, observedGeneration, lastTransitionTime, reason, message };
  return { state, message, observedGeneration, conditions: [ready] };
}
