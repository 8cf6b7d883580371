import { labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { allEngines } from '../../../core/chains/ethereum/testing/planInput.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Pod, PodStatus } from '../../../core/kube/types.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { aNetwork, factsOf } from './facts.ts';

export const participants = [{}];

/** The facts of a network, with an image for every client. */
export function facts(network: Stored<NetworkResource>, others: Partial<NetworkFacts> = {}): NetworkFacts {
  return factsOf(network, { engineSet: allEngines, ...others });
}

/** A network whose genesis time is fixed. */
export function begun(chain: object = { participants }): Stored<NetworkResource> {
  const network = aNetwork(chain);
  const genesis = { incarnation: engineIncarnationOf(network), at: '2030-01-02T03:04:00Z' };
  return { ...network, status: { genesis, state: 'Pending', lastWakeUpAt: '2030-01-02T03:00:00Z' } };
}

export function podOf(network: Stored<NetworkResource>, part: string, status: PodStatus, uid = part): Pod {
  const incarnation = engineIncarnationOf(network);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `net-${part}-${incarnation}`,
      namespace: 'ws',
      uid,
      labels: {
        [labels.network]: 'u-1',
        [labels.part]: part,
        ...(part === 'prepare' ? {} : { [labels.incarnation]: incarnation }),
      },
    },
    spec: { containers: [{ name: 'image-1', image: 'geth:1' }] },
    status,
  };
}
