import { labels } from '../../../core/api/names.ts';
import { resourceType } from '../../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { type ContainerStatus, type Pod, podType } from '../../../core/kube/types.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { isAppError } from '../../../core/lib/errors.ts';

const bindingType = resourceType('v1', 'Binding');

/** Replaces the scheduler and the kubelet, which a test environment does not have. */
export interface Node {
  /** The parts of all pods that it has run, by pod uid. */
  seen: Map<string, string>;
  stop(): Promise<void>;
}

/**
 * Simulates the engine pods in `pods`: binds them, marks them ready, removes deleted ones, and restarts the engine when
 * an ephemeral container requests it. Pods that run once succeed immediately.
 */
export function startNode(kube: Kube, pods: Reflector<Pod>): Node {
  const seen = new Map<string, string>();
  const work = new Map<string, Promise<void>>();
  const see = (pod: Pod) => {
    const uid = pod.metadata.uid ?? '';
    seen.set(uid, pod.metadata.labels?.[labels.part] ?? '');
    const turn = async () => {
      const present = pods.get(pod.metadata);
      // Live: the operator's cache keeps only what the operator reads of a pod.
      const live = present?.metadata.uid === uid ? await kube.get(podType, present.metadata) : undefined;
      if (live?.metadata.uid === uid) await runPod(kube, live);
    };
    work.set(uid, (work.get(uid) ?? Promise.resolve()).then(turn).catch(complain));
  };
  const stopWatching = pods.onChange(({ type, object }) => type === 'set' && see(object));
  pods.list().forEach(see);
  return {
    seen,
    async stop() {
      stopWatching();
      await Promise.all(work.values());
    },
  };
}

/** Ignores conflicts and missing pods: the cache may lag, and the next change triggers another attempt. */
function complain(error: unknown): void {
  if (!isAppError(error, 'Conflict') && !isAppError(error, 'NotFound')) throw error;
}

async function runPod(kube: Kube, { metadata, spec, status = {} }: Pod): Promise<void> {
  const { namespace = '', name, uid = '' } = metadata;
  if (metadata.deletionTimestamp) {
    await kube.delete(podType, { namespace, name }, { uid, gracePeriodSeconds: 0 });
    return;
  }
  if (!spec.nodeName) {
    const metadata = { namespace, name, uid };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'node' } };
    await kube.create(bindingType, binding);
    return;
  }
  if (spec.restartPolicy === 'Never') {
    if (status.phase === 'Succeeded') return;
    const over = { phase: 'Succeeded' as const };
    await kube.patch(podType, { namespace, name }, { metadata: { uid }, status: over }, 'status');
    return;
  }
  const asked = spec.ephemeralContainers ?? [];
  const done = status.ephemeralContainerStatuses?.length ?? 0;
  if (status.phase === 'Running' && done === asked.length) return;
  const [engine] = spec.containers;
  const now = toRfc3339(Date.now());
  const ended = { terminated: { exitCode: 0, finishedAt: now } };
  const containerStatuses = [
    { ...statusOf(engine?.name, asked.length), started: true, state: { running: { startedAt: now } } },
  ];
  const ephemeralContainerStatuses = asked.map((one) => ({ ...statusOf(one.name, 0), state: ended }));
  const conditions = [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: 'True' },
  ];
  const next = {
    phase: 'Running',
    podIP: '10.0.0.1',
    conditions,
    containerStatuses,
    ephemeralContainerStatuses,
  };
  await kube.patch(podType, { namespace, name }, { metadata: { uid }, status: next }, 'status');
}

function statusOf(name = '', restartCount = 0): ContainerStatus & { image: string; imageID: string } {
  return { name, ready: true, restartCount, image: '', imageID: '' };
}
