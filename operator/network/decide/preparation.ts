import { labels } from '../../../core/api/names.ts';
import type { Preparation } from '../../../core/chains/driver.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { incarnationOf, metaOf } from '../render/childNames.ts';
import { podBasics, renderContainer } from '../render/pods.ts';
import type { NetworkFacts } from './facts.ts';
import { genesisTimeOf } from './plan.ts';
import { imageProblemOf, type PodState, podStateOf } from './podState.ts';

const partName = 'prepare';

/**
 * The pod that starts each program of the plan once and ends: afterwards the images are there. Its programs answer
 * `--version` or the like; one that fails at that has been fetched all the same.
 */
export function renderPreparation(facts: NetworkFacts, { programs }: Preparation): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metaOf(facts, nameSuffixOf(facts), { [labels.part]: partName }),
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
export function preparationStateOf(facts: NetworkFacts): PodState {
  const { name } = metaOf(facts, nameSuffixOf(facts));
  const pod = facts.pods.find(({ metadata }) => metadata.name === name);
  const state = podStateOf(pod);
  // A program that has ended, however it did, has been fetched.
  if (!pod || (state.phase !== 'failed' && state.phase !== 'ready')) return state;
  return imageProblemOf(pod) ?? { phase: 'starting', message: 'the programs are being started' };
}

function nameSuffixOf({ network }: NetworkFacts): string {
  return `${partName}-${incarnationOf(network)}`;
}

/** The facts as they are once the time of the genesis is fixed, when it can be. */
export function withGenesis(facts: NetworkFacts, { leadSeconds }: Preparation): NetworkFacts {
  const { network } = facts;
  if (genesisTimeOf(network) !== undefined || preparationStateOf(facts).phase !== 'dead') return facts;
  const at = toRfc3339(facts.nowMs + leadSeconds * 1_000);
  const genesis = { life: incarnationOf(network), at };
  return { ...facts, network: { ...network, status: { ...network.status, genesis } } };
}
