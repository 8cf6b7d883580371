import type { NetworkState } from '../../core/api/resources/network.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { hashOf } from '../../core/lib/hash.ts';
import type { DesiredStatus } from '../network/decide/facts.ts';
import {
  type Course,
  courseOf,
  idleCheckMs,
  isWaitingToBegin,
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
import { placeMembers, type Stations, scopeOf } from './endpoints.ts';
import type { LayerZeroDecision, LayerZeroFacts, RunOutcome, Station, WireOrder } from './facts.ts';
import { type MemberObstacle, obstacleOf, wakesOf } from './members.ts';

/** How soon to look again at what may pass without an event. */
const passingMs = 2_000;
const obstacleMs = 60_000;

/** What shall be, from what is: a pure function. */
export function decide(facts: LayerZeroFacts): LayerZeroDecision {
  if (facts.network.metadata.deletionTimestamp) {
    const state = stateOf(facts, 'Stopping', 'Deleting', 'the network is being deleted');
    return { status: { ...keep(facts), ...state }, wakes: [], routes: [] };
  }
  const course = courseOf(facts);
  if (course.kind === 'stop') return decideStop(facts, course);
  if (isWaitingToBegin(facts)) return decideWithoutPlace(facts, course);
  return decideRun(facts, course);
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

function decideWithoutPlace(facts: LayerZeroFacts, course: Course): LayerZeroDecision {
  const message = `spec.persistent: ${facts.placeRefusal}`;
  const state = stateOf(facts, 'Error', 'QuotaExceeded', message);
  const execution = renderProgress({ step: 1, problem: message, done: [], titles: layerZeroSteps });
  const status = { ...keep(facts), ...wokenAt(course), execution, ...state };
  return { status, wakes: [], routes: [], requeueAfterMs: obstacleMs };
}

function decideRun(facts: LayerZeroFacts, course: Course): LayerZeroDecision {
  const maintenance = maintenanceOf(facts);
  const isReset =
    maintenance.kind === 'reset' && facts.network.status?.reset?.nonce !== maintenance.reset.nonce;
  const next = withReset(facts, maintenance);
  const obstacles = facts.members.flatMap((member) => obstacleOf(member, facts) ?? []);
  const running = facts.members.filter((member) => !obstacleOf(member, facts));
  const placed = placeMembers(next, { running, isReset });
  const order = orderOf(next, placed, maintenance);
  const isSettled = isDone(next, placed, order);
  const isWired = obstacles.length === 0 && isSettled;
  const known = isWired ? { ...placed.known, wired: planHashOf(order) } : placed.known;
  const outcome = next.memory.outcome?.key === order.key ? next.memory.outcome : undefined;
  const look: Look = { obstacle: worstOf(obstacles), placed, maintenance, isWired, outcome };
  const checkMs = obstacles.some(({ isPassing }) => isPassing) ? passingMs : obstacleMs;
  const requeueAfterMs = obstacles.length > 0 ? checkMs : idleCheckMs(course);
  return {
    status: { ...statusOf(next, course, look), layerzero: known },
    wakes: wakesOf(facts, wokenAt(course).lastWakeUpAt),
    ...(isSettled ? {} : { order }),
    routes: order.connections.flatMap(({ from, to }) => {
      const endOf = (id: string) => placed.stations.find((one) => one.id === id && one.endpoint);
      const [source, target] = [endOf(from), endOf(to)];
      return source && target ? [{ from: source, to: target }] : [];
    }),
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
  };
}

/** What there is to do among the members that run. */
function orderOf(
  { network }: LayerZeroFacts,
  { stations, doubts }: Stations,
  maintenance: Maintenance,
): WireOrder {
  const { connections } = network.spec.chain.layerzero ?? {};
  const idOf = (name: string) => stations.find((station) => station.name === name)?.id;
  const pairs = connections ?? pairsOf(stations);
  const between = pairs.flatMap(({ from, to }) => {
    const [source, target] = [idOf(from), idOf(to)];
    return source !== undefined && target !== undefined ? [{ from: source, to: target }] : [];
  });
  const isCheck = maintenance.kind === 'restart';
  const plan = { stations, connections: between, doubts, isCheck, key: '' };
  return { ...plan, key: hashOf([planHashOf(plan), doubts, isCheck ? maintenance.nonce : 0]) };
}

function pairsOf(stations: readonly Station[]): { from: string; to: string }[] {
  return stations.flatMap(({ name: from }) =>
    stations.filter(({ name }) => name !== from).map(({ name: to }) => ({ from, to })),
  );
}

/** Changes with the endpoints and the connections between them. */
function planHashOf({ stations, connections }: Omit<WireOrder, 'key'>): string {
  return hashOf([stations.map((station) => [scopeOf(station), station.eid]), connections]);
}

/** Whether the chains are as they shall be: a run said so, or the status of an earlier operator does. */
function isDone({ memory }: LayerZeroFacts, { stations, known }: Stations, order: WireOrder): boolean {
  if (order.doubts.length > 0 || stations.some(({ endpoint }) => !endpoint)) return false;
  const { outcome } = memory;
  if (outcome?.key === order.key) return outcome.state === 'done';
  return !order.isCheck && known.wired === planHashOf(order);
}

interface Look {
  obstacle: MemberObstacle | undefined;
  placed: Stations;
  maintenance: Maintenance;
  isWired: boolean;
  /** Of the last run, when it was this order's. */
  outcome: RunOutcome | undefined;
}

function statusOf(facts: LayerZeroFacts, course: Course, look: Look): DesiredStatus {
  const { placed, maintenance, isWired } = look;
  const before = facts.network.status;
  const { state, reason, message } = verdictOf(facts, look);
  const isBad = state === 'Error';
  const lastWakeUpAt = wokenAt(course).lastWakeUpAt ?? before?.lastWakeUpAt;
  const named = placed.stations.map(({ name, eid, endpoint = 'no endpoint yet' }) => [name, eid, endpoint]);
  const execution = renderProgress({
    step: stepOf(facts, look),
    isDone: isWired,
    done: [`${facts.members.length} members`, named.map((words) => words.join(' ')).join('; ')],
    titles: layerZeroSteps,
    ...(isBad ? { problem: message } : { note: message }),
  });
  return {
    ...keep(facts),
    ...(isWired ? { enclaveID: hashOf(placed.stations.map(scopeOf)).slice(0, 16) } : {}),
    ...((lastWakeUpAt ?? isWired) ? { lastWakeUpAt: lastWakeUpAt ?? toRfc3339(facts.nowMs) } : {}),
    execution,
    endpoints: endpointsOf(facts),
    chainSpecHash: isWired ? hashOf(facts.network.spec.chain) : before?.chainSpecHash,
    observedMaintenanceNonce: observedNonce(facts, maintenance, isWired),
    ...stateOf(facts, state, reason, message),
  };
}

function stepOf({ members }: LayerZeroFacts, { placed: { stations } }: Look): Step {
  if (stations.length < members.length) return 1;
  return stations.every(({ endpoint }) => endpoint) ? 3 : 2;
}

interface Verdict {
  state: NetworkState;
  reason: string;
  message: string;
}

function verdictOf(facts: LayerZeroFacts, { obstacle, maintenance, isWired, outcome }: Look): Verdict {
  if (obstacle) return { ...obstacle, state: obstacle.isPassing ? 'Pending' : 'Error' };
  const refusal = maintenance.kind === 'refused' ? [`maintenance refused: ${maintenance.message}`] : [];
  const quota = facts.placeRefusal === undefined ? [] : [`not persistent: ${facts.placeRefusal}`];
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
function worstOf(obstacles: readonly MemberObstacle[]): MemberObstacle | undefined {
  return obstacles.find(({ isPassing }) => !isPassing) ?? obstacles[0];
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
