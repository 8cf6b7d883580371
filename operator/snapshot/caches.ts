import { idIndex } from '../../core/api/ids.ts';
import { snapshotType } from '../../core/api/resources/resources.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';

/** All snapshots, by namespace, and those that wait for a network (`namespace/name`). Not started yet. */
export function createSnapshotCache(
  options: Pick<ReflectorOptions<SnapshotResource>, 'kube' | 'clock' | 'log' | 'kubeMetrics' | 'tap'>,
): Reflector<SnapshotResource> {
  return createReflector({
    ...options,
    type: snapshotType,
    indexes: {
      ...idIndex,
      namespace: ({ metadata }) => [metadata.namespace],
      waitsFor: (snapshot) =>
        isOpen(snapshot) ? [`${snapshot.metadata.namespace}/${snapshot.spec.network}`] : [],
    },
  });
}

/** Whether a snapshot is still to be taken. */
export function isOpen({ metadata, status }: Stored<SnapshotResource>): boolean {
  const isDone = status?.state === 'Ready' || status?.state === 'Failed';
  return !isDone && metadata.deletionTimestamp === undefined;
}
