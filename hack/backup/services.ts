import type { V1DeploymentSpec, V1DeploymentStatus } from '@kubernetes/client-node';
import type { NamespacedObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { podType } from '../../core/kube/types.ts';
import { waitUntil } from '../lib/wait.ts';
import { kindOf } from './objects.ts';

interface Deployment extends NamespacedObject {
  spec: V1DeploymentSpec;
  status?: V1DeploymentStatus;
}

export const deploymentType = kindOf<Deployment>('apps/v1', 'Deployment');

/** On a Deployment that a restore has stopped: how many replicas it had. */
const replicasAnnotation = 'slipway.dev/replicas-before-restore';

/** The Deployments that the chart installed in a namespace. */
export async function installed(kube: Kube, namespace: string): Promise<Stored<Deployment>[]> {
  const labelSelector = 'app.kubernetes.io/part-of=slipway,app.kubernetes.io/managed-by=Helm';
  return (await kube.list(deploymentType, { namespace, labelSelector })).items;
}

/** Whether a service writes, so that a restore would race with it. Others, such as the admission webhook, serve the restore. */
export function isWriter({ metadata }: Deployment): boolean {
  return ['apiserver', 'operator'].includes(metadata.labels?.['app.kubernetes.io/component'] ?? '');
}

/** Starts or stops services, and waits until they are ready, or until none of their pods can be asked any more. */
export async function scale(kube: Kube, services: Stored<Deployment>[], isOn: boolean): Promise<void> {
  for (const { metadata, spec } of services) {
    const before = metadata.annotations?.[replicasAnnotation] ?? String(spec.replicas ?? 1);
    const annotations = { [replicasAnnotation]: isOn ? null : before };
    const patch = { metadata: { annotations }, spec: { replicas: isOn ? Number(before) : 0 } };
    await kube.patch(deploymentType, metadata, patch);
  }
  for (const service of services) {
    const { namespace, name } = service.metadata;
    const remedy = `kubectl -n ${namespace} describe deployment ${name}`;
    const message = `${name} does not ${isOn ? 'become ready' : 'end'}: ${remedy}`;
    await waitUntil(() => (isOn ? isReady(kube, service) : isGone(kube, service)), 5 * 60_000, message);
  }
}

async function isReady(kube: Kube, service: Deployment): Promise<boolean> {
  const { metadata, spec, status = {} } = (await kube.get(deploymentType, service.metadata)) ?? service;
  const { observedGeneration = 0, availableReplicas = 0 } = status;
  return observedGeneration >= (metadata.generation ?? 0) && availableReplicas >= (spec.replicas ?? 0);
}

async function isGone(kube: Kube, { metadata: { namespace }, spec }: Deployment): Promise<boolean> {
  const pairs = Object.entries(spec.selector.matchLabels ?? {});
  const labelSelector = pairs.map(([key, value]) => `${key}=${value}`).join(',');
  return (await kube.list(podType, { namespace, labelSelector })).items.length === 0;
}
