import type { Engine } from '../../../core/api/installation.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { type Pod, podType } from '../../../core/kube/types.ts';
import { containerSecurity } from '../render/pods.ts';
import { restartName } from './maintenance.ts';

export interface RestartRequest {
  nonce: number;
  /** An engine whose image has a shell; that of the pod's own may have none. */
  engine: Engine;
}

/**
 * Asks for the restart of a pod's engine: an ephemeral container that shares its process namespace ends the process,
 * and the kubelet begins it anew on the same volumes. A second call with the same nonce changes nothing.
 */
export async function askForRestart(
  kube: Kube,
  pod: Pod,
  { nonce, engine: asker }: RestartRequest,
): Promise<void> {
  const name = restartName(nonce);
  const [engine] = pod.spec.containers;
  const former = pod.spec.ephemeralContainers ?? [];
  if (!engine || former.some((container) => container.name === name)) return;
  const asking = {
    name,
    image: asker.image,
    imagePullPolicy: asker.pullPolicy,
    targetContainerName: engine.name,
    command: ['/bin/sh', '-c', 'kill -TERM 1'],
    securityContext: containerSecurity,
  };
  const { namespace = '', name: podName, resourceVersion } = pod.metadata;
  // The version makes two who ask at the same time one who succeeds.
  const patch = { metadata: { resourceVersion }, spec: { ephemeralContainers: [...former, asking] } };
  await kube.patch(podType, { namespace, name: podName }, patch, 'ephemeralcontainers');
}
