import type { Engine } from '../../../core/api/installation.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { type Pod, podType } from '../../../core/kube/types.ts';
import { containerSecurity } from '../render/pods.ts';

export interface RestartRequest {
  nonce: number;
  /** An engine whose image has a shell; that of the pod's own may have none. */
  engine: Engine;
}

/**
 * A restart is asked for by an ephemeral container that ends the engine's process; its name carries the nonce, so
 * that it happens once. The engine writes its state down when it ends, and reads it when it begins.
 */
const restartName = (nonce: number): string => `restart-${nonce}`;

/**
 * Asks for the restart of a pod's engine: an ephemeral container that shares its process namespace ends the process,
 * and the kubelet starts it again on the same volumes. A second call with the same nonce changes nothing.
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
  const { namespace, name: podName, resourceVersion } = pod.metadata;
  // With the version, of two who ask at the same time one succeeds.
  const patch = { metadata: { resourceVersion }, spec: { ephemeralContainers: [...former, asking] } };
  await kube.patch(podType, { namespace, name: podName }, patch, 'ephemeralcontainers');
}

/** Whether the restart has taken effect: the engine began after the ephemeral container ended. */
export function hasRestarted({ status }: Pod, nonce: number): boolean {
  const asked = status?.ephemeralContainerStatuses?.find(({ name }) => name === restartName(nonce));
  const endedAt = asked?.state?.terminated?.finishedAt;
  const startedAt = status?.containerStatuses?.[0]?.state?.running?.startedAt;
  return endedAt !== undefined && startedAt !== undefined && Date.parse(startedAt) >= Date.parse(endedAt);
}

/** How many of the container's restarts nobody asked for. */
export function unaskedRestarts({ status }: Pod): number {
  const restarts = status?.containerStatuses?.[0]?.restartCount ?? 0;
  const asked = (status?.ephemeralContainerStatuses ?? []).filter(
    ({ name, state }) => name.startsWith('restart-') && state?.terminated?.exitCode === 0,
  );
  return Math.max(0, restarts - asked.length);
}
