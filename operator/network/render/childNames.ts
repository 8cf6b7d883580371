import type { Installation } from '../../../core/api/installation.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import type { NamespacedMeta } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { EnginePart, EnginePlan } from '../../../core/chains/driver.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { hashOf, shortHashOf } from '../../../core/lib/hash.ts';

/** The key in the Secret of a fork's source. */
export const forkUrlKey = 'url';

export interface RenderInput {
  network: Stored<NetworkResource>;
  plan: EnginePlan;
  installation: Installation;
  forkSource: string | undefined;
  /** Its data outlives its pods. */
  isPersistent: boolean;
}

/**
 * Identifies one life of a network's engine: the same for the same network, chain spec and last reset. It is
 * in the names of pods and files, so that a new life is made beside the old one and nothing that runs is changed.
 */
export function incarnationOf(network: Stored<NetworkResource>): string {
  return shortHashOf([network.metadata.uid, network.spec.chain, network.status?.reset?.nonce ?? 0]);
}

/** The name of an object of a network; a network's own name may be longer than fits. */
function nameOf(network: Stored<NetworkResource>, suffix: string): string {
  return `${network.metadata.name.slice(0, 40).replace(/-+$/, '')}-${suffix}`;
}

/** The name of a part's pod, and of the Service under which the other parts reach it. */
export function nameOfPart(network: Stored<NetworkResource>, part: string): string {
  return nameOf(network, `${part}-${incarnationOf(network)}`);
}

export function metaOf(
  { network }: Pick<RenderInput, 'network'>,
  suffix: string,
  extraLabels: Record<string, string> = {},
): NamespacedMeta {
  const { name, namespace, uid } = network.metadata;
  return {
    name: nameOf(network, suffix),
    namespace,
    labels: {
      'app.kubernetes.io/managed-by': 'slipway',
      'app.kubernetes.io/part-of': 'slipway-network',
      [labels.network]: uid,
      ...extraLabels,
    },
    ownerReferences: [{ apiVersion, kind: 'Network', name, uid, controller: true, blockOwnerDeletion: true }],
  };
}

export function engineMeta(input: RenderInput, part: EnginePart, suffix = ''): NamespacedMeta {
  const incarnation = incarnationOf(input.network);
  const extraLabels = { [labels.part]: part.name, [labels.incarnation]: incarnation };
  return metaOf(input, `${part.name}${suffix}-${incarnation}`, extraLabels);
}

/** Named after the source, so that what a pod reads never changes under its name. */
export function forkSourceName(input: RenderInput, forkSource: string): string {
  return metaOf(input, `fork-${hashOf([input.network.metadata.uid, forkSource]).slice(0, 10)}`).name;
}

/** Named after its content, so that what a pod mounts never changes under its name. */
export function secretsName(input: RenderInput): string {
  const { uid } = input.network.metadata;
  return metaOf(input, `keys-${hashOf([uid, input.plan.secrets]).slice(0, 10)}`).name;
}

/** Whether the part's data outlives its pod. */
export function hasVolume(input: RenderInput, part: EnginePart): boolean {
  return input.isPersistent && part.dataPath !== undefined;
}

/** A ConfigMap's key holds no slash. */
export function fileKeyOf(path: string): string {
  return path.slice(1).replaceAll('/', '__');
}
