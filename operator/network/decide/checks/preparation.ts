import { annotations, labels } from '../../../../core/api/names.ts';
import type { Preparation } from '../../../../core/chains/driver.ts';
import type { Pod } from '../../../../core/kube/types.ts';
import { toRfc3339 } from '../../../../core/lib/clock.ts';
import { countOf } from '../../lifecycle/restart.ts';
import { metaOf } from '../../render/childNames.ts';
import { countsOf, podBasics, renderContainer } from '../../render/pods.ts';
import type { NetworkCheck, NetworkContext, NetworkFacts } from '../facts.ts';
import { imageProblemOf, type PodState, podStateOf, reasonOfPhase } from '../podState.ts';

const partName = 'prepare';
const checkMs = 10_000;

/** For chains whose parts must all agree on a genesis time: pulls the images first, then fixes that time. */
export const preparation: NetworkCheck = {
  name: 'preparation',
  check(context) {
    const { facts, plan, genesisTime, accounts } = context.planned();
    if (!plan.preparation || genesisTime !== undefined) return undefined;
    const { incarnation } = context;
    const state = preparationStateOf(facts, incarnation);
    const isFailed = state.phase === 'failed';
    const stuck = isFailed ? stuckPodsOf(facts, context) : [];
    return {
      state: isFailed ? 'Error' : 'Pending',
      reason: reasonOfPhase[state.phase],
      message: isFailed ? state.message : `pulling images: ${state.message}`,
      progress: { step: 2, done: [accounts] },
      // Engines exist without a known genesis time, so the cache is stale: delete nothing.
      children:
        context.engines.length > 0 ? undefined : [renderPreparation(facts, plan.preparation, incarnation)],
      writes: context.writes.begun,
      requeueAfterMs: checkMs,
      ...(stuck.length > 0 ? { replace: stuck } : {}),
    };
  },
};

/** Pods of the preparation that a requested restart replaces. */
function stuckPodsOf(facts: NetworkFacts, { maintenance, incarnation }: NetworkContext): Pod[] {
  if (maintenance.kind !== 'restart') return [];
  const pod = preparationPodOf(facts, incarnation);
  return pod && countOf(pod, annotations.maintenance) < maintenance.number ? [pod] : [];
}

/** The facts with the genesis time, fixed now if the preparation is over. */
export function withGenesis(
  facts: NetworkFacts,
  { leadSeconds }: Preparation,
  incarnation: string,
): NetworkFacts {
  const { network, nowMs } = facts;
  const isFixed = network.status?.genesis?.incarnation === incarnation;
  if (isFixed || preparationStateOf(facts, incarnation).phase !== 'dead') return facts;
  const genesis = { incarnation, at: toRfc3339(nowMs + leadSeconds * 1_000) };
  return { ...facts, network: { ...network, status: { ...network.status, genesis } } };
}

/**
 * The pod that runs each program of the plan once, so that its images are pulled. The programs run `--version` or
 * similar; the image has been pulled even if that fails.
 */
function renderPreparation(facts: NetworkFacts, { programs }: Preparation, incarnation: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metaOf(facts, `${partName}-${incarnation}`, { [labels.part]: partName }),
      annotations: countsOf(facts),
    },
    spec: {
      restartPolicy: 'Never',
      ...podBasics(facts.installation),
      containers: programs.map((program) => ({
        ...renderContainer(facts.engineSet.images, program),
        resources: { requests: {}, limits: {} },
        volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      })),
      volumes: [{ name: 'tmp', emptyDir: {} }],
    },
  };
}

/** The state of the preparation; `dead` when it is over. */
function preparationStateOf(facts: NetworkFacts, incarnation: string): PodState {
  const pod = preparationPodOf(facts, incarnation);
  const state = podStateOf(pod);
  // The image of a program that has exited was pulled, whatever the exit code.
  if (!pod || (state.phase !== 'failed' && state.phase !== 'ready')) return state;
  return imageProblemOf(pod) ?? { phase: 'starting', message: 'starting the programs' };
}

function preparationPodOf(facts: NetworkFacts, incarnation: string): Pod | undefined {
  const { name } = metaOf(facts, `${partName}-${incarnation}`);
  return facts.pods.find(({ metadata }) => metadata.name === name);
}
