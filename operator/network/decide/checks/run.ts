import { labels } from '../../../../core/api/names.ts';
import type { NetworkState } from '../../../../core/api/resources/network.ts';
import { wrongChainId } from '../../../../core/evm/chainState.ts';
import { hashOf } from '../../../../core/lib/hash.ts';
import { hasRestarted, unaskedRestarts } from '../../lifecycle/restart.ts';
import { dataVolume } from '../../render/childNames.ts';
import { renderChildren } from '../../render/children.ts';
import { endpointsOf, servicesByAccess } from '../../status/endpoints.ts';
import type { NetworkCheck, NetworkContext, NetworkOutcome } from '../facts.ts';
import { engineKeyIdOf } from '../plan.ts';
import { type PodState, reasonOfPhase, weakestOf } from '../podState.ts';

const startingMs = 10_000;
const askAgainMs = 500;

/** A claim is asked for in the background. */
const wrongChainIdMs = 30_000;

const restarting: PodState = { phase: 'starting', message: 'restarting the engine' };
const silent: PodState = { phase: 'starting', message: 'the engine has started; waiting for its next block' };

/** No blockers: creates the engines. The network is Operational once they are ready. */
export const run: NetworkCheck = {
  name: 'run',
  check(context) {
    const planned = context.planned();
    const { facts, plan, chainId, accounts } = planned;
    const { incarnation } = context;
    const services = servicesByAccess(plan);
    const { engine, ...actions } = progressOf(context);
    const isReady = engine.phase === 'ready';
    const running = ['running', ...plan.caveats, ...context.refusals, ...volumeCaveats(context)].join('; ');
    return {
      state: stateOf(engine),
      reason: reasonOfPhase[engine.phase],
      message: isReady ? running : engine.message,
      progress: {
        step: isReady || engine.phase === 'starting' ? 4 : 3,
        isDone: isReady,
        done: [accounts, `chain id ${chainId}`],
      },
      children: renderChildren(planned),
      writes: {
        ...(isReady ? context.writes.ready : context.writes.starting),
        enclaveID: enclaveIdOf(context) ?? facts.network.status?.enclaveID,
        genesis: facts.network.status?.genesis,
        chainID: chainId,
        endpoints: endpointsOf(services.public, 'public', facts),
        adminServices: services.admin,
        engineKey: plan.secrets && { incarnation, id: engineKeyIdOf(facts, incarnation) },
      },
      ...actions,
    };
  },
};

/** A pod that started before its network became persistent keeps its data where it is. */
function volumeCaveats({ planned, isPersistent, engines }: NetworkContext): string[] {
  const isInPod = engines.some((pod) =>
    (pod.spec.volumes ?? []).some(({ name, emptyDir }) => name === dataVolume && emptyDir !== undefined),
  );
  if (!isPersistent || !planned().hasVolumes || !isInPod) return [];
  return [
    'not on a volume yet, so the loss of its pod loses the data: request a ResetState to start on a volume',
  ];
}

type Progress = Pick<NetworkOutcome, 'restart' | 'readinessCall' | 'requeueAfterMs'> & { engine: PodState };

/** The state of the engines, and the next action. */
function progressOf({ planned, engines, maintenance, runDecision }: NetworkContext): Progress {
  const { facts, plan, chainId } = planned();
  const parts = plan.parts.map(({ name }) =>
    engines.find(({ metadata }) => metadata.labels?.[labels.part] === name),
  );
  const engine = weakestOf(parts, facts.forkSource);
  if (engine.phase !== 'ready') return { engine, requeueAfterMs: startingMs };
  const { claimedChainId } = facts;
  if (claimedChainId !== undefined && claimedChainId !== chainId) {
    const message = wrongChainId(claimedChainId, chainId);
    return { engine: { phase: 'failed', message }, requeueAfterMs: wrongChainIdMs };
  }
  if (maintenance.kind === 'restart' && engines.some((pod) => !hasRestarted(pod, maintenance.nonce))) {
    const restart = { pods: engines, nonce: maintenance.nonce };
    return { engine: restarting, restart, requeueAfterMs: startingMs };
  }
  // The engine of an Operational network has already answered.
  const isKnown = facts.hasAnswered || facts.network.status?.state === 'Operational';
  if (isKnown || !plan.readinessCall) {
    return { engine, requeueAfterMs: runDecision.kind === 'run' ? runDecision.idleCheckMs : undefined };
  }
  const isAsked = facts.hasAnswered !== undefined;
  const call = isAsked ? {} : { readinessCall: plan.readinessCall };
  return { engine: silent, ...call, requeueAfterMs: askAgainMs };
}

function stateOf({ phase }: PodState): NetworkState {
  if (phase === 'ready') return 'Operational';
  return phase === 'failed' ? 'Error' : 'Pending';
}

/**
 * Changes whenever the chain's data may have been lost: with a new pod, or with an unrequested container restart if
 * that loses the chain. Undefined while no pod exists.
 */
function enclaveIdOf({ planned, engines }: NetworkContext): string | undefined {
  const present = engines.filter(({ metadata }) => !metadata.deletionTimestamp);
  const incarnations = planned().plan.parts.flatMap(({ name, losesChainWith = 'process' }) =>
    present
      .filter(({ metadata }) => losesChainWith !== 'nothing' && metadata.labels?.[labels.part] === name)
      .map((pod) => [pod.metadata.uid, losesChainWith === 'process' ? unaskedRestarts(pod) : 0]),
  );
  return incarnations.length === 0 ? undefined : hashOf(incarnations).slice(0, 16);
}
