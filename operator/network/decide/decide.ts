import { labels } from '../../../core/api/names.ts';
import type { NetworkState } from '../../../core/api/resources/network.ts';
import type { EnginePlan, Preparation } from '../../../core/chains/driver.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import {
  idleCheckMs,
  isPersistent,
  type RunDecision,
  runDecisionOf,
  wokenAt,
} from '../lifecycle/lifecycle.ts';
import {
  hasRestarted,
  type Maintenance,
  maintenanceOf,
  observedNonce,
  withReset,
} from '../lifecycle/maintenance.ts';
import { incarnationOf } from '../render/childNames.ts';
import { renderChildren } from '../render/children.ts';
import { endpointsOf } from '../status/endpoints.ts';
import { renderProgress, type Step } from '../status/progress.ts';
import { enclaveIdOf, keep, stateOf } from '../status/statusParts.ts';
import type { Decision, DesiredStatus, NetworkFacts } from './facts.ts';
import { engineStateOf } from './forkSource.ts';
import { type Blocker, blockerOf, chainIdOf, chainSpecHashOf, forkOf, planInputOf } from './plan.ts';
import type { PodState } from './podState.ts';
import { preparationStateOf, renderPreparation, withGenesis } from './preparation.ts';

/** How soon to look again at what may pass without an event. */
const passingMs = 2_000;
const startingMs = 10_000;
const askAgainMs = 500;
const blockerMs = 60_000;

/** What shall be, from what is: a pure function. */
export function decide(facts: NetworkFacts): Decision {
  if (facts.network.metadata.deletionTimestamp) return decideDeletion(facts);
  const runDecision = runDecisionOf(facts);
  if (runDecision.kind === 'stop') return decideStop(facts, runDecision);
  const maintenance = maintenanceOf(facts);
  const next = withReset(facts, maintenance);
  const blocker = blockerOf(next);
  const chainId = chainIdOf(next);
  if (blocker || chainId === undefined || !next.driver) return decideBlocker(next, runDecision, blocker);
  const outline = next.driver.plan(planInputOf(next, chainId));
  const begun = outline.preparation ? withGenesis(next, outline.preparation) : next;
  const input = planInputOf(begun, chainId);
  if (outline.preparation && input.genesisTime === undefined) {
    return decidePreparation(begun, runDecision, outline.preparation);
  }
  const plan = begun === next ? outline : next.driver.plan(input);
  const forkSource = forkOf(begun) ? begun.forkSource : undefined;
  const children = renderChildren({ ...begun, plan, forkSource, isPersistent: isPersistent(begun) });
  return { children, ...decideRun(begun, { runDecision, maintenance, plan, chainId }) };
}

/** Before a chain whose begin all must know: the images are fetched, then its time is fixed. */
function decidePreparation(
  facts: NetworkFacts,
  runDecision: RunDecision,
  preparation: Preparation,
): Decision {
  const state = preparationStateOf(facts);
  const isFailed = state.phase === 'failed';
  const execution = renderProgress({
    step: 2,
    done: [describeAccounts(facts)],
    ...(isFailed ? { problem: state.message } : { note: `fetching images: ${state.message}` }),
  });
  const word: NetworkState = isFailed ? 'Error' : 'Pending';
  const message = isFailed ? state.message : `fetching images: ${state.message}`;
  return {
    // Engines of a life whose time is not known: what was read is behind, and nothing is taken away.
    children: enginesOf(facts).length > 0 ? undefined : [renderPreparation(facts, preparation)],
    status: {
      ...keep(facts),
      ...wokenAt(runDecision),
      execution,
      ...stateOf(facts, word, reasonOfPhase[state.phase], message),
    },
    requeueAfterMs: startingMs,
  };
}

function decideDeletion(facts: NetworkFacts): Decision {
  const message = 'the network is being deleted';
  return { children: [], status: { ...keep(facts), ...stateOf(facts, 'Stopping', 'Deleting', message) } };
}

function decideStop(facts: NetworkFacts, { isNew }: { isNew: boolean }): Decision {
  const hours = facts.installation.idle.afterSeconds / 3600;
  const text = `stopped ${hours} h after its last wake-up; its data is gone. Any use wakes it`;
  if (isNew || facts.pods.length > 0) {
    const status = { ...keepOfLast(facts), ...stateOf(facts, 'Stopping', 'Idle', `stopping: ${text}`) };
    return { children: [], status, requeueAfterMs: passingMs };
  }
  const wasStopped = facts.network.status?.state === 'Stopped';
  const lastStoppedAt = wasStopped ? facts.network.status?.lastStoppedAt : toRfc3339(facts.nowMs);
  const status = { ...keepOfLast(facts), ...stateOf(facts, 'Stopped', 'Idle', text) };
  return { children: [], status: { ...status, ...(lastStoppedAt ? { lastStoppedAt } : {}) } };
}

/** What is kept of a chain whose data is gone: the next one begins at a time of its own. */
function keepOfLast(facts: NetworkFacts): DesiredStatus {
  const { genesis: _gone, ...status } = keep(facts);
  return status;
}

/** What runs keeps running: a secret that went missing later takes nothing away. */
function decideBlocker(facts: NetworkFacts, runDecision: RunDecision, found: Blocker | undefined): Decision {
  const blocker = found ?? {
    reason: 'NotAvailable',
    message: 'this version cannot run it',
    isPassing: false,
  };
  const hasRun = facts.network.status?.chainSpecHash === chainSpecHashOf(facts.network);
  const requeueAfterMs = blocker.isPassing ? passingMs : blockerMs;
  const engines = enginesOf(facts);
  if (hasRun && engines.length > 0) {
    const state = engines
      .map((pod) => engineStateOf(pod, facts.forkSource))
      .find(({ phase }) => phase !== 'ready');
    const word: NetworkState = state ? 'Pending' : 'Operational';
    const message = `${state?.message ?? 'running'}; cannot be provisioned anew: ${blocker.message}`;
    const status = {
      ...keep(facts),
      ...wokenAt(runDecision),
      ...stateOf(facts, word, blocker.reason, message),
    };
    return { children: undefined, status, requeueAfterMs };
  }
  const execution = renderProgress({ step: 1, problem: blocker.message, done: [] });
  const word: NetworkState = blocker.isPassing ? 'Pending' : 'Error';
  const state = stateOf(facts, word, blocker.reason, blocker.message);
  return {
    children: hasRun ? undefined : [],
    status: { ...keep(facts), ...wokenAt(runDecision), execution, ...state },
    requeueAfterMs,
  };
}

interface Run {
  runDecision: RunDecision;
  maintenance: Maintenance;
  plan: EnginePlan;
  chainId: string;
}

function decideRun(facts: NetworkFacts, run: Run): Omit<Decision, 'children'> {
  const engine = weakestOf(run.plan, facts);
  const { maintenance } = run;
  const pods = enginesOf(facts);
  const isRestarting =
    maintenance.kind === 'restart' && pods.some((pod) => !hasRestarted(pod, maintenance.nonce));
  const isUp = engine.phase === 'ready';
  const question = isUp && !isRestarting ? openReadinessCallOf(facts, run) : undefined;
  const shallRestart = maintenance.kind === 'restart' && isUp && isRestarting;
  const isReady = isUp && !shallRestart && !question;
  const state: PodState = shallRestart ? restarting : question ? silent : engine;
  const status = statusOfRun(facts, { ...run, state, isReady });
  const requeueAfterMs = isReady ? idleCheckMs(run.runDecision) : question ? askAgainMs : startingMs;
  return {
    status,
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
    ...(question && facts.hasAnswered === undefined ? { question } : {}),
    ...(shallRestart ? { restart: { pods, nonce: maintenance.nonce } } : {}),
  };
}

const restarting: PodState = { phase: 'starting', message: 'the engine is being restarted' };
const silent: PodState = { phase: 'starting', message: 'the engine has started; its next block is awaited' };

/** Of a network that is Operational already, the engine has answered before. */
function openReadinessCallOf({ network: { status }, hasAnswered }: NetworkFacts, { plan }: Run) {
  return hasAnswered || status?.state === 'Operational' ? undefined : plan.readinessCall;
}

function statusOfRun(facts: NetworkFacts, run: Run & { state: PodState; isReady: boolean }): DesiredStatus {
  const { state, isReady, chainId, plan, maintenance } = run;
  const before = facts.network.status;
  const word: NetworkState = isReady ? 'Operational' : state.phase === 'failed' ? 'Error' : 'Pending';
  const refusal = maintenance.kind === 'refused' ? [`maintenance refused: ${maintenance.message}`] : [];
  const quota = facts.quotaRefusal === undefined ? [] : [`not persistent: ${facts.quotaRefusal}`];
  const message = isReady ? ['running', ...plan.caveats, ...refusal, ...quota].join('; ') : state.message;
  const execution = renderProgress({
    step: stepOfPhase[state.phase],
    isDone: isReady,
    done: [describeAccounts(facts), `chain id ${chainId}`],
    ...(state.phase === 'failed' ? { problem: state.message } : { note: state.message }),
  });
  const enclaveID = enclaveIdOf(facts, plan) ?? before?.enclaveID;
  const lastWakeUpAt = wokenAt(run.runDecision).lastWakeUpAt ?? before?.lastWakeUpAt;
  return {
    ...keep(facts),
    ...(enclaveID ? { enclaveID } : {}),
    ...((lastWakeUpAt ?? isReady) ? { lastWakeUpAt: lastWakeUpAt ?? toRfc3339(facts.nowMs) } : {}),
    execution,
    chainID: chainId,
    endpoints: endpointsOf(plan, facts),
    chainSpecHash: isReady ? chainSpecHashOf(facts.network) : before?.chainSpecHash,
    observedMaintenanceNonce: observedNonce(facts, maintenance, isReady),
    ...stateOf(facts, word, reasonOfPhase[isReady ? 'ready' : state.phase], message),
  };
}

/** The pods of the present life, in the order of the plan's parts. */
function enginesOf(facts: NetworkFacts): Pod[] {
  const incarnation = incarnationOf(facts.network);
  return facts.pods.filter(({ metadata }) => metadata.labels?.[labels.incarnation] === incarnation);
}

const byProgress: PodState['phase'][] = [
  'failed',
  'dead',
  'ending',
  'absent',
  'unscheduled',
  'starting',
  'ready',
];

/** The state of the part that is least far. */
function weakestOf(plan: EnginePlan, facts: NetworkFacts): PodState {
  const engines = enginesOf(facts);
  const states = plan.parts.map((part) =>
    engineStateOf(
      engines.find(({ metadata }) => metadata.labels?.[labels.part] === part.name),
      facts.forkSource,
    ),
  );
  const [weakest] = states.sort((a, b) => byProgress.indexOf(a.phase) - byProgress.indexOf(b.phase));
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

const reasonOfPhase: Record<PodState['phase'], string> = {
  absent: 'Provisioning',
  ending: 'Provisioning',
  dead: 'EngineLost',
  unscheduled: 'Unschedulable',
  failed: 'EngineFailed',
  starting: 'Provisioning',
  ready: 'Operational',
};

function describeAccounts({ hotKey, mnemonic }: NetworkFacts): string {
  const addresses = [hotKey, mnemonic].flatMap((reference) =>
    reference?.kind === 'addresses' ? reference.addresses : [],
  );
  const [first, ...others] = addresses;
  if (first === undefined) return 'no account is funded';
  return others.length === 0 ? `funds ${first}` : `funds ${first} and ${others.length} more accounts`;
}
