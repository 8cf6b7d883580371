import type { NetworkState } from '../../core/api/resources/network.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { hashOf } from '../../core/lib/hash.ts';
import type { DesiredStatus } from '../network/decide/facts.ts';
import {
  idleCheckMs,
  isWaitingToBegin,
  type RunDecision,
  runDecisionOf,
  wokenAt,
} from '../network/lifecycle/lifecycle.ts';
import {
  type Maintenance,
  maintenanceOf,
  observedNonce,
  withReset,
} from '../network/lifecycle/maintenance.ts';
import { layerZeroSteps, renderProgress, type Step } from '../network/status/progress.ts';
import { keep, stateOf } from '../network/status/statusParts.ts';
import { type MemberEndpoints, placeMembers, scopeOf } from './endpoints.ts';
import type { LayerZeroDecision, LayerZeroFacts, MemberEndpoint, RunOutcome, WireOrder } from './facts.ts';
import { blockerOf, type MemberBlocker, wakesOf } from './members.ts';

/** How soon to look again at what may pass without an event. */
const passingMs = 2_000;
const blockerMs = 60_000;

/** What shall be, from what is: a pure function. */
export function decide(facts: LayerZeroFacts): LayerZeroDecision {
  if (facts.network.metadata.deletionTimestamp) {
    const state = stateOf(facts, 'Stopping', 'Deleting', 'the network is being deleted');
    return { status: { ...keep(facts), ...state }, wakes: [], routes: [] };
  }
  const runDecision = runDecisionOf(facts);
  if (runDecision.kind === 'stop') return decideStop(facts, runDecision);
  if (isWaitingToBegin(facts)) return decideWithoutQuota(facts, runDecision);
  return decideRun(facts, runDecision);
}

/** Messages wait until it is woken; the endpoints are where they are as long as the members run. */
function decideStop(facts: LayerZeroFacts, { isNew }: { isNew: boolean }): LayerZeroDecision {
  const hours = facts.installation.idle.afterSeconds / 3600;
  const text = `stopped ${hours} h after its last wake-up; messages wait. Any use wakes it and its members`;
  const common = { wakes: [], routes: [] };
  if (isNew) {
    const state = stateOf(facts, 'Stopping', 'Idle', `stopping: ${text}`);
    return { ...common, status: { ...keep(facts), ...state }, requeueAfterMs: passingMs };
  }
  const wasStopped = facts.network.status?.state === 'Stopped';
  const lastStoppedAt = wasStopped ? facts.network.status?.lastStoppedAt : toRfc3339(facts.nowMs);
  const status = { ...keep(facts), ...stateOf(facts, 'Stopped', 'Idle', text) };
  return { ...common, status: { ...status, ...(lastStoppedAt ? { lastStoppedAt } : {}) } };
}

function decideWithoutQuota(facts: LayerZeroFacts, runDecision: RunDecision): LayerZeroDecision {
  const message = `spec.persistent: ${facts.quotaRefusal}`;
  const state = stateOf(facts, 'Error', 'QuotaExceeded', message);
  const execution = renderProgress({ step: 1, problem: message, done: [], titles: layerZeroSteps });
  const status = { ...keep(facts), ...wokenAt(runDecision), execution, ...state };
  return { status, wakes: [], routes: [], requeueAfterMs: blockerMs };
}

function decideRun(facts: LayerZeroFacts, runDecision: RunDecision): LayerZeroDecision {
  const maintenance = maintenanceOf(facts);
  const isReset =
    maintenance.kind === 'reset' && facts.network.status?.reset?.nonce !== maintenance.reset.nonce;
  const next = withReset(facts, maintenance);
  const blockers = facts.members.flatMap((member) => blockerOf(member, facts) ?? []);
  const running = facts.members.filter((member) => !blockerOf(member, facts));
  const placed = placeMembers(next, { running, isReset });
  const order = orderOf(next, placed, maintenance);
  const isSettled = isDone(next, placed, order);
  const isWired = blockers.length === 0 && isSettled;
  const known = isWired ? { ...placed.known, wired: planHashOf(order) } : placed.known;
  const outcome = next.memory.outcome?.key === order.key ? next.memory.outcome : undefined;
  const look: Look = { blocker: worstOf(blockers), placed, maintenance, isWired, outcome };
  const checkMs = blockers.some(({ isPassing }) => isPassing) ? passingMs : blockerMs;
  const requeueAfterMs = blockers.length > 0 ? checkMs : idleCheckMs(runDecision);
  return {
    status: { ...statusOf(next, runDecision, look), layerzero: known },
    wakes: wakesOf(facts, wokenAt(runDecision).lastWakeUpAt),
    ...(isSettled ? {} : { order }),
    routes: order.connections.flatMap(({ from, to }) => {
      const endOf = (id: string) => placed.endpoints.find((one) => one.id === id && one.endpoint);
      const [source, target] = [endOf(from), endOf(to)];
      return source && target ? [{ from: source, to: target }] : [];
    }),
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
  };
}

/** What there is to do among the members that run. */
function orderOf(
  { network }: LayerZeroFacts,
  { endpoints, unverified }: MemberEndpoints,
  maintenance: Maintenance,
): WireOrder {
  const { connections } = network.spec.chain.layerzero ?? {};
  const idOf = (name: string) => endpoints.find((endpoint) => endpoint.name === name)?.id;
  const pairs = connections ?? pairsOf(endpoints);
  const between = pairs.flatMap(({ from, to }) => {
    const [source, target] = [idOf(from), idOf(to)];
    return source !== undefined && target !== undefined ? [{ from: source, to: target }] : [];
  });
  const isCheck = maintenance.kind === 'restart';
  const plan = { endpoints, connections: between, unverified, isCheck, key: '' };
  return { ...plan, key: hashOf([planHashOf(plan), unverified, isCheck ? maintenance.nonce : 0]) };
}

function pairsOf(endpoints: readonly MemberEndpoint[]): { from: string; to: string }[] {
  return endpoints.flatMap(({ name: from }) =>
    endpoints.filter(({ name }) => name !== from).map(({ name: to }) => ({ from, to })),
  );
}

/** Changes with the endpoints and the connections between them. */
function planHashOf({ endpoints, connections }: Omit<WireOrder, 'key'>): string {
  return hashOf([endpoints.map((endpoint) => [scopeOf(endpoint), endpoint.eid]), connections]);
}

/** Whether the chains are as they shall be: a run said so, or the status of an earlier operator does. */
function isDone(
  { memory }: LayerZeroFacts,
  { endpoints, known }: MemberEndpoints,
  order: WireOrder,
): boolean {
  if (order.unverified.length > 0 || endpoints.some(({ endpoint }) => !endpoint)) return false;
  const { outcome } = memory;
  if (outcome?.key === order.key) return outcome.state === 'done';
  return !order.isCheck && known.wired === planHashOf(order);
}

interface Look {
  blocker: MemberBlocker | undefined;
  placed: MemberEndpoints;
  maintenance: Maintenance;
  isWired: boolean;
  /** Of the last run, when it was this order's. */
  outcome: RunOutcome | undefined;
}

function statusOf(facts: LayerZeroFacts, runDecision: RunDecision, look: Look): DesiredStatus {
  const { placed, maintenance, isWired } = look;
  const before = facts.network.status;
  const { state, reason, message } = verdictOf(facts, look);
  const isBad = state === 'Error';
  const lastWakeUpAt = wokenAt(runDecision).lastWakeUpAt ?? before?.lastWakeUpAt;
  const named = placed.endpoints.map(({ name, eid, endpoint = 'no endpoint yet' }) => [name, eid, endpoint]);
  const execution = renderProgress({
    step: stepOf(facts, look),
    isDone: isWired,
    done: [`${facts.members.length} members`, named.map((words) => words.join(' ')).join('; ')],
    titles: layerZeroSteps,
    ...(isBad ? { problem: message } : { note: message }),
  });
  return {
    ...keep(facts),
    ...(isWired ? { enclaveID: hashOf(placed.endpoints.map(scopeOf)).slice(0, 16) } : {}),
    ...((lastWakeUpAt ?? isWired) ? { lastWakeUpAt: lastWakeUpAt ?? toRfc3339(facts.nowMs) } : {}),
    execution,
    endpoints: endpointsOf(facts),
    chainSpecHash: isWired ? hashOf(facts.network.spec.chain) : before?.chainSpecHash,
    observedMaintenanceNonce: observedNonce(facts, maintenance, isWired),
    ...stateOf(facts, state, reason, message),
  };
}

function stepOf({ members }: LayerZeroFacts, { placed: { endpoints } }: Look): Step {
  if (endpoints.length < members.length) return 1;
  return endpoints.every(({ endpoint }) => endpoint) ? 3 : 2;
}

interface Verdict {
  state: NetworkState;
  reason: string;
  message: string;
}

function verdictOf(facts: LayerZeroFacts, { blocker, maintenance, isWired, outcome }: Look): Verdict {
  if (blocker) return { ...blocker, state: blocker.isPassing ? 'Pending' : 'Error' };
  const refusal = maintenance.kind === 'refused' ? [`maintenance refused: ${maintenance.message}`] : [];
  const quota = facts.quotaRefusal === undefined ? [] : [`not persistent: ${facts.quotaRefusal}`];
  if (isWired) {
    const message = ['running: messages are delivered', ...refusal, ...quota].join('; ');
    return { state: 'Operational', reason: 'Operational', message };
  }
  if (outcome?.state === 'failed') {
    return { state: 'Error', reason: 'WiringFailed', message: outcome.message ?? 'a step failed' };
  }
  const message = outcome?.state === 'retry' ? outcome.message : undefined;
  return { state: 'Pending', reason: 'Provisioning', message: message ?? 'the members are being wired' };
}

/** The gravest one: what does not pass by itself, else the first. */
function worstOf(blockers: readonly MemberBlocker[]): MemberBlocker | undefined {
  return blockers.find(({ isPassing }) => !isPassing) ?? blockers[0];
}

/** Those of the members, by `name-service`. */
function endpointsOf({ members }: LayerZeroFacts): Record<string, string> {
  return Object.fromEntries(
    members.flatMap(({ name, network }) =>
      ['rpc', 'ws'].flatMap((service) => {
        const url = network?.status?.endpoints?.[service];
        return url === undefined ? [] : [[`${name}-${service}`, url]];
      }),
    ),
  );
}
