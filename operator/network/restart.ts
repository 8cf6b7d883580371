import type { Kube } from '../../core/kube/kube.ts';
import { type Pod, podType } from '../../core/kube/types.ts';
import { containerSecurity } from './children.ts';
import { restartName } from './maintenance.ts';

/**
 * Asks for the restart of a pod's engine: an ephemeral container that shares its process namespace ends the process,
 * and the kubelet begins it anew on the same volumes. A second call with the same nonce changes nothing.
 */
export async function askForRestart(kube: Kube, pod: Pod, nonce: number): Promise<void> {
  const name = restartName(nonce);
  const [engine] = pod.spec.containers;
  const former = pod.spec.ephemeralContainers ?? [];
  if (!engine || former.some((container) => container.name === name)) return;
  const asking = {
    name,
    image: engine.image ?? '',
    imagePullPolicy: engine.imagePullPolicy ?? 'IfNotPresent',
    targetContainerName: engine.name,
    command: ['/bin/sh', '-c', 'kill -TERM 1'],
    securityContext: containerSecurity,
  };
  const { namespace = '', name: podName, resourceVersion } = pod.metadata;
  // The version makes two who ask at the same time one who succeeds.
  const patch = { metadata: { resourceVersion }, spec: { ephemeralContainers: [...former, asking] } };
  await kube.patch(podType, { namespace, name: podName }, patch, 'ephemeralcontainers');
}
