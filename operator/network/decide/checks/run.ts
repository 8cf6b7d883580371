import { annotations, labels } from '../../../../core/api/names.ts';
import type { NetworkState } from '../../../../core/api/resources/networkStatus.ts';
import { wrongChainId } from '../../../../core/evm/chainState.ts';
import type { PersistentVolumeClaim, Pod } from '../../../../core/kube/types.ts';
import { settlingReason } from '../../../../core/networks/settling.ts';
import { isAdopted, launchesOf, withAdopted } from '../../../warm/adopted.ts';
import { questionOf } from '../../../warm/launcher.ts';
import { countOf, planRestart, restarting } from '../../lifecycle/restart.ts';
import { isOfIncarnation, isOfPlugin, pluginIncarnationOf } from '../../render/childNames.ts';
import { renderChildren } from '../../render/children.ts';
import { endpointsOf, servicesByAccess } from '../../status/endpoints.ts';
import { describePrevious } from '../../status/previousChain.ts';
import { peersOf } from '../copies.ts';
import type { NetworkCheck, NetworkContext, NetworkOutcome, PlannedNetwork } from '../facts.ts';
import { fromCaveats } from '../from.ts';
import { instanceOf } from '../instance.ts';
import { engineKeyIdOf } from '../plan.ts';
import { hasDataInPod, type PodState, reasonOfPhase, weakestOf } from '../podState.ts';
import { onceSettled, settlingMs } from '../settling.ts';
import { adjustedBy, isRunningAsBefore, isSameChain, runningChainOf } from './runningChain.ts';

const startingMs = 10_000;
const restartingMs = 5_000;
const askAgainMs = 500;

/** The claim is read in the background. */
const wrongChainIdMs = 30_000;

const takingOver = 'replacing the pods of the engine, which then takes over the changed spec';
const notTakenOver = 'the engine has not taken over the changed spec yet';
const silent: PodState = { phase: 'starting', message: 'the engine has started; waiting for its next block' };
const behind: PodState = {
  phase: 'starting',
  message: `${silent.message}, and for all nodes to have the same blocks`,
};

const launching: PodState = { phase: 'starting', message: 'the engine is starting' };
const unfit: PodState = { phase: 'starting', message: 'replacing a pod that did not become the engine' };

/** No blockers: creates the engines. The network is Operational once they are ready. */
export const run: NetworkCheck = {
  name: 'run',
  check(context) {
    const planned = context.planned();
    const { facts, plan, chainId, accounts } = planned;
    const { incarnation } = context;
    const services = servicesByAccess(plan, facts);
    const { engine, reason = reasonOfPhase[engine.phase], ...actions } = progressOf(context);
    const isReady = engine.phase === 'ready';
    const isAdjusting = actions.asks?.adjust !== undefined;
    const chain = runningChainOf(context, isReady && !isAdjusting);
    const { instance, processUrl } = instanceOf(context);
    const adjusting = isAdjusting ? [notTakenOver] : [];
    const notes = [adjusting, plan.caveats, context.refusals, fromCaveats(facts)].flat();
    const running = ['running', ...notes, ...volumeCaveats(context)].join('; ');
    const previous = describePrevious(chain.previousChain);
    return {
      state: stateOf(engine),
      reason,
      message: [isReady ? running : engine.message, ...(previous ? [previous] : [])].join('; '),
      progress: {
        step: isReady || engine.phase === 'starting' ? 4 : 3,
        isDone: isReady,
        done: [accounts, `chain id ${chainId}`],
      },
      children: [...withAdopted(renderChildren(planned), context.engines), ...volumesOfRefused(planned)],
      writes: {
        ...(isReady && !isAdjusting ? context.writes.ready : context.writes.starting),
        genesis: facts.network.status?.genesis,
        fork: planned.fork,
        from: planned.from,
        chainID: chainId,
        endpoints: endpointsOf(services.public, 'public', facts),
        adminServices: services.admin,
        engineKey: plan.secrets && { incarnation, id: engineKeyIdOf(facts, incarnation) },
        instance,
        ...chain,
      },
      plugins: plan.plugins && { ...plan.plugins, incarnation: pluginIncarnationOf(facts.network) },
      ...withProcess(withPluginRestart(context, actions), isReady ? processUrl : undefined),
    };
  },
};

/** A pod that started before its network became persistent keeps its data where it is. */
function volumeCaveats({ facts, planned, isPersistent, engines, incarnation }: NetworkContext): string[] {
  const ending = facts.volumeClaims?.find(
    (claim) => claim.metadata.deletionTimestamp && isOfIncarnation(claim, incarnation) && !isOfPlugin(claim),
  );
  if (ending)
    return [`its volume "${ending.metadata.name}" was deleted, so its data is lost when its pod ends`];
  if (!isPersistent || !planned().hasVolumes || !engines.some(hasDataInPod)) return [];
  return [
    'not on a volume yet, so the loss of its pod loses the data: request a ResetState to start on a volume',
  ];
}

/** A plugin that cannot run for now, for example because its image is missing, keeps its data as long as it is in the spec. */
function volumesOfRefused({ facts, plan }: PlannedNetwork): PersistentVolumeClaim[] {
  const refused = plan.plugins?.refused ?? {};
  const incarnation = pluginIncarnationOf(facts.network);
  return (facts.volumeClaims ?? []).filter(
    (claim) =>
      !claim.metadata.deletionTimestamp &&
      isOfIncarnation(claim, incarnation) &&
      Object.hasOwn(refused, claim.metadata.labels?.[labels.plugin] ?? ''),
  );
}

type Actions = Pick<NetworkOutcome, 'restart' | 'replace' | 'asks' | 'requeueAfterMs'>;
type Progress = Actions & {
  engine: PodState;
  /** By default, that of the engine's phase. */
  reason?: string;
};

/** The state of the engines, and the next action. */
function progressOf(context: NetworkContext): Progress {
  const { facts, plan } = context.planned();
  const chainParts = plan.parts.filter(({ plugin }) => plugin === undefined);
  const parts = chainParts.map(({ name }) =>
    context.engines.find(({ metadata }) => metadata.labels?.[labels.part] === name),
  );
  const engine = weakestOf(parts, facts.forkSource);
  const renewal = settled(context, takeOver(context) ?? restart(context, engine));
  if (renewal) return renewal;
  if (engine.phase !== 'ready') return { engine, requeueAfterMs: startingMs };
  return launch(context) ?? answer(context, engine);
}

/** An engine is ended in order only once its transactions are settled. */
function settled({ observed }: NetworkContext, renewal: Progress | undefined): Progress | undefined {
  const waitMs = renewal ? settlingMs(observed) : 0;
  if (!renewal || waitMs === 0) return renewal;
  const engine = { ...renewal.engine, message: `${renewal.engine.message}${onceSettled}` };
  return { engine, reason: settlingReason, requeueAfterMs: waitMs };
}

/** Replaces pods that were created before a change that only a new pod takes over. */
function takeOver({ facts, engines }: NetworkContext): Progress | undefined {
  const revision = facts.network.status?.incarnation?.revision ?? 0;
  const old = engines.filter((pod) => countOf(pod, annotations.revision) < revision);
  if (old.length === 0) return undefined;
  const engine: PodState = { phase: 'starting', message: takingOver };
  return { engine, replace: old.filter(isPresent), requeueAfterMs: restartingMs };
}

function restart(context: NetworkContext, engine: PodState): Progress | undefined {
  const { facts, engines, maintenance } = context;
  if (maintenance.kind !== 'restart') return undefined;
  const losesChain = (pod: Pod) => hasDataInPod(pod) && losesChainWithProcess(context, pod);
  const { isOpen, ask, replace } = planRestart(engines, { ...maintenance, losesChain }, facts.nowMs);
  if (!isOpen) return undefined;
  const cause = replace.length === 0 || engine.phase === 'ready' ? '' : `, because ${engine.message}`;
  const message = replace.length > 0 ? `${restarting} in a new pod${cause}` : restarting;
  return {
    engine: { phase: 'starting', message },
    replace,
    restart: { pods: ask, number: maintenance.number },
    requeueAfterMs: restartingMs,
  };
}

/** A process that has not answered yet is asked again. */
function withProcess<Rest extends Actions>(rest: Rest, processUrl: string | undefined): Rest & Actions {
  if (processUrl === undefined) return rest;
  return {
    ...rest,
    asks: { ...rest.asks, process: processUrl },
    requeueAfterMs: Math.min(rest.requeueAfterMs ?? askAgainMs, askAgainMs),
  };
}

function losesChainWithProcess({ planned }: NetworkContext, { metadata }: Pod): boolean {
  const part = planned().plan.parts.find(({ name }) => name === metadata.labels?.[labels.part]);
  return part !== undefined && (part.losesChainWith ?? 'process') === 'process';
}

/** A restart includes the plugins, but does not wait for them. Pods of a later chain are younger than the request. */
function withPluginRestart(
  { facts, pluginPods, maintenance }: NetworkContext,
  { restart, replace, requeueAfterMs, ...actions }: Actions,
): Actions {
  const number = facts.network.status?.maintenance?.count ?? 0;
  const sinceMs = maintenance.kind === 'restart' ? maintenance.sinceMs : facts.nowMs;
  const own = planRestart(number === 0 ? [] : pluginPods, { number, sinceMs }, facts.nowMs);
  const pods = [...(restart?.pods ?? []), ...own.ask];
  return {
    ...actions,
    ...(replace || own.replace.length > 0 ? { replace: [...(replace ?? []), ...own.replace] } : {}),
    ...(pods.length > 0 || restart ? { restart: { pods, number: restart?.number ?? number } } : {}),
    requeueAfterMs: own.isOpen ? Math.min(requeueAfterMs ?? restartingMs, restartingMs) : requeueAfterMs,
  };
}

/**
 * A pod that waited for its network is ready before it is the engine. A container that starts again has its plan, unless
 * its machine was lost at the wrong moment.
 */
function launch(context: NetworkContext): Progress | undefined {
  const { planned, engines } = context;
  if (!engines.some(isAdopted)) return undefined;
  const { facts, plan, ...input } = planned();
  const { answers, driver } = facts;
  const question = plan.readinessCall ?? (driver.headCall && questionOf(driver.headCall));
  if (!question || answers.launch === 'answered' || isRunningAsBefore(context)) return undefined;
  const launches = launchesOf(renderChildren({ ...input, plan }), engines);
  if (launches.length === 0) return undefined;
  if (answers.launch === 'refused') {
    return { engine: unfit, replace: engines.filter(isPresent), requeueAfterMs: restartingMs };
  }
  const next = answers.launch === undefined ? { asks: { launch: { launches, question } } } : {};
  return { engine: launching, ...next, requeueAfterMs: askAgainMs };
}

/** The engine of an Operational network has already answered; it may have values to take over. */
function answer(context: NetworkContext, engine: PodState): Progress {
  const { planned, engines, runDecision } = context;
  const { facts, plan } = planned();
  const message = wrongClaim(context);
  if (message !== undefined) return { engine: { phase: 'failed', message }, requeueAfterMs: wrongChainIdMs };
  const { answers, network } = facts;
  const isKnown = answers.readiness || answers.launch === 'answered' || isRunningAsBefore(context);
  if (!isKnown && plan.readinessCall) {
    const peers = peersOf(plan);
    const asks = answers.readiness === undefined ? { readiness: { call: plan.readinessCall, peers } } : {};
    return { engine: peers.length > 0 ? behind : silent, asks, requeueAfterMs: askAgainMs };
  }
  const requeueAfterMs = runDecision.kind === 'run' ? runDecision.idleCheckMs : undefined;
  const adjusted = network.status?.incarnation?.adjusted;
  const isOpen = adjusted !== undefined && adjusted !== adjustedBy(engines, plan.settings);
  if (isOpen && !answers.adjust)
    return { engine, asks: { adjust: plan.settings ?? [] }, requeueAfterMs: askAgainMs };
  return { engine, requeueAfterMs };
}

/** What is wrong with the chain id that the engine claims. After a change of the id, the former engine was asked last. */
function wrongClaim(context: NetworkContext): string | undefined {
  const { facts, chainId } = context.planned();
  const { claimedChainId } = facts;
  if (claimedChainId === undefined || claimedChainId === chainId || !isSameChain(context)) return undefined;
  return wrongChainId(claimedChainId, chainId);
}

const isPresent = ({ metadata }: Pod) => !metadata.deletionTimestamp;

function stateOf({ phase }: PodState): NetworkState {
  if (phase === 'ready') return 'Operational';
  return phase === 'failed' ? 'Error' : 'Pending';
}
