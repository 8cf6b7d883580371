import { labels } from '../../../../core/api/names.ts';
import type { Preparation } from '../../../../core/chains/driver.ts';
import type { Pod } from '../../../../core/kube/types.ts';
import { toRfc3339 } from '../../../../core/lib/clock.ts';
import { metaOf } from '../../render/childNames.ts';
import { podBasics, renderContainer } from '../../render/pods.ts';
import type { NetworkCheck, NetworkFacts } from '../facts.ts';
import { imageProblemOf, type PodState, podStateOf, reasonOfPhase } from '../podState.ts';

const partName = 'prepare';
const checkMs = 10_000;

/** Before a chain whose beginning all its parts must know: their images are fetched, then its time is fixed. */
export const preparation: NetworkCheck = {
  name: 'preparation',
  check(context) {
    const { facts, plan, genesisTime, accounts } = context.planned();
    if (!plan.preparation || genesisTime !== undefined) return undefined;
    const { incarnation } = context;
    const state = preparationStateOf(facts, incarnation);
    const isFailed = state.phase === 'failed';
    return {
      state: isFailed ? 'Error' : 'Pending',
      reason: reasonOfPhase[state.phase],
      message: isFailed ? state.message : `fetching images: ${state.message}`,
      progress: { step: 2, done: [accounts] },
      // Engines of an incarnation whose time is not known: what was read is behind, and nothing is taken away.
      children:
        context.engines.length > 0 ? undefined : [renderPreparation(facts, plan.preparation, incarnation)],
      writes: context.writes.begun,
      requeueAfterMs: checkMs,
    };
  },
};

/** The facts as they are once the time of the genesis is fixed, when it can be. */
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
 * The pod that starts each program of the plan once and ends: afterwards the images are there. Its programs answer
 * `--version` or the like; one that fails at that has been fetched all the same.
 */
function renderPreparation(facts: NetworkFacts, { programs }: Preparation, incarnation: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metaOf(facts, `${partName}-${incarnation}`, { [labels.part]: partName }),
    spec: {
      restartPolicy: 'Never',
      ...podBasics,
      containers: programs.map((program) => ({
        ...renderContainer(facts.installation, program),
        resources: { requests: {}, limits: {} },
        volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      })),
      volumes: [{ name: 'tmp', emptyDir: {} }],
    },
  };
}

/** How far the preparation is; `dead` when it is over. */
function preparationStateOf(facts: NetworkFacts, incarnation: string): PodState {
  const { name } = metaOf(facts, `${partName}-${incarnation}`);
  const pod = facts.pods.find(({ metadata }) => metadata.name === name);
  const state = podStateOf(pod);
  // A program that has ended, however it did, has been fetched.
  if (!pod || (state.phase !== 'failed' && state.phase !== 'ready')) return state;
  return imageProblemOf(pod) ?? { phase: 'starting', message: 'the programs are being started' };
}
