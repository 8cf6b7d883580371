import { createHash } from 'node:crypto';
import { deriveSecret } from '../../core/accounts/engineSecrets.ts';
import { currentKeyOf, type Keyring } from '../../core/accounts/keyring.ts';
import { annotations, labels, waitingNetwork } from '../../core/api/names.ts';
import { controllerReferenceTo, type KubeObject, type Stored } from '../../core/api/resources/kubeObject.ts';
import { type Namespace, namespaceType, type Pod } from '../../core/kube/types.ts';
import { podStateOf } from '../network/decide/podState.ts';
import type { WarmModel } from './models.ts';

/** The launcher's environment variable with the hash of the secret that opens it (engines/evm-dev/launcher/plan.go). */
export const hashVariable = 'SLIPWAY_PLAN_SECRET_SHA256';
const launcherPath = '/usr/local/bin/launcher';

interface WaitingPodInput {
  model: WarmModel;
  /** Never used before: the secret is derived from it. */
  name: string;
  owner: Stored<Namespace>;
  keys: Keyring;
}

/** A pod that waits for its network. It has the engine's image, resources and rights. */
export function renderWaitingPod({ model, name, owner, keys }: WaitingPodInput): Pod {
  const { name: namespace } = owner.metadata;
  const [container, ...others] = model.spec.containers;
  const hash = hashOfSecret(secretOf(currentKeyOf(keys), { namespace, name }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: {
        'app.kubernetes.io/managed-by': 'slipway',
        'app.kubernetes.io/part-of': 'slipway-network',
        [labels.network]: waitingNetwork,
      },
      annotations: { [annotations.warm]: model.shape },
      ownerReferences: [controllerReferenceTo(owner)],
    },
    spec: {
      ...model.spec,
      containers: container
        ? [
            {
              ...container,
              command: [launcherPath, `:${model.port}`, model.folder, ...model.launches],
              env: [{ name: hashVariable, value: hash }],
            },
            ...others,
          ]
        : [],
    },
  };
}

/** The index of a cache of pods: those that wait, by their namespace. */
export function waitingIndex({ metadata }: KubeObject): string[] {
  return isWaiting({ metadata }) ? [metadata.namespace ?? ''] : [];
}

/** By its owner as well: anybody may copy a label. */
export function isWaiting({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  const isOfNamespace = metadata.ownerReferences?.some(
    ({ kind, name }) => kind === namespaceType.kind && name === metadata.namespace,
  );
  return metadata.labels?.[labels.network] === waitingNetwork && isOfNamespace === true;
}

/** Whether a network may have this pod now. */
export function isAdoptable(pod: Stored<Pod>, model: WarmModel, keys: Keyring): boolean {
  return isCurrent(pod, model, keys) && podStateOf(pod).phase === 'ready' && pod.status?.podIP !== undefined;
}

/** Whether a waiting pod is one that would be created today. */
export function isCurrent(pod: Pod, model: WarmModel, keys: Keyring): boolean {
  if (!isWaiting(pod) || pod.metadata.deletionTimestamp) return false;
  return pod.metadata.annotations?.[annotations.warm] === model.shape && secretFor(pod, keys) !== undefined;
}

/** The secret that opens the pod's launcher, whichever key was current when the pod was created; undefined for a pod of others. */
export function secretFor({ metadata, spec }: Pod, { keys }: Keyring): string | undefined {
  const { name, namespace = '' } = metadata;
  const hash = spec.containers[0]?.env?.find((entry) => entry.name === hashVariable)?.value;
  const secrets = [...keys.values()].map((key) => secretOf(key, { namespace, name }));
  return secrets.find((secret) => hashOfSecret(secret) === hash);
}

function secretOf(key: Uint8Array, { namespace, name }: { namespace: string; name: string }): string {
  return deriveSecret(key, `${namespace}/${name}`, 'launcher');
}

function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
