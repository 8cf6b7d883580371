import type { Stored } from '../../core/api/resources/kubeObject.ts';
import { keepOf } from '../../core/kube/cache/keep.ts';
import type { ConfigMap, ContainerStatus, Pod, PodStatus } from '../../core/kube/types.ts';
import { compact } from '../../core/lib/compact.ts';
import { hashVariable } from '../warm/waitingPod.ts';
import { dataVolume } from './render/childNames.ts';

/** What the operator reads of a pod: its state, where its data is, and how to reach its launcher. */
export function keepPod(pod: Stored<Pod>): Stored<Pod> {
  const { containers, initContainers, ephemeralContainers, volumes = [] } = pod.spec;
  const spec = {
    containers: containers.map(keepContainer),
    ...compact({ initContainers: initContainers?.map(({ name, image }) => ({ name, image })) }),
    // A request for a restart adds to them.
    ...compact({ ephemeralContainers }),
    volumes: volumes
      .filter(({ name, persistentVolumeClaim: claim }) => name === dataVolume || claim)
      .map(({ name, emptyDir, persistentVolumeClaim }) => ({
        name,
        ...compact({ emptyDir, persistentVolumeClaim }),
      })),
  };
  return keepOf(pod, { spec, ...compact({ status: pod.status && keepStatus(pod.status) }) });
}

/** Whether a file is immutable decides how it is replaced; what is in it is in the network's own state. */
export function keepConfigMap(map: Stored<ConfigMap>): Stored<ConfigMap> {
  return keepOf(map, compact({ immutable: map.immutable }));
}

function keepContainer({ name, image, ports, env = [] }: Pod['spec']['containers'][number]) {
  const secret = env.filter((variable) => variable.name === hashVariable);
  return { name, image, ...(secret.length > 0 ? compact({ env: secret, ports }) : {}) };
}

const conditionsRead = new Set(['Ready', 'PodScheduled']);

function keepStatus(status: PodStatus): PodStatus {
  const { phase, reason, message, podIP } = status;
  return {
    ...compact({ phase, reason, message, podIP }),
    ...compact({
      conditions: status.conditions
        ?.filter(({ type }) => conditionsRead.has(type))
        .map((condition) => ({
          type: condition.type,
          status: condition.status,
          ...compact({ message: condition.message }),
        })),
      containerStatuses: status.containerStatuses?.map(keepContainerStatus),
      initContainerStatuses: status.initContainerStatuses?.map(keepContainerStatus),
      ephemeralContainerStatuses: status.ephemeralContainerStatuses?.map(keepContainerStatus),
    }),
  };
}

function keepContainerStatus(status: ContainerStatus): ContainerStatus {
  const { name, ready, restartCount, state, lastState } = status;
  const former = Object.keys(lastState ?? {}).length > 0 ? { lastState } : {};
  return { name, ready, restartCount, ...compact({ state }), ...compact(former) };
}
