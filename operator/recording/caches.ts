import { idIndex } from '../../core/api/ids.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { recordingType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';

/** All recordings, by uid and by each network that they name (`namespace/name`). Not started yet. */
export function createRecordingCache(
  options: Pick<ReflectorOptions<RecordingResource>, 'kube' | 'clock' | 'log' | 'kubeMetrics' | 'tap'>,
): Reflector<RecordingResource> {
  return createReflector({
    ...options,
    type: recordingType,
    indexes: {
      uid: ({ metadata }) => [metadata.uid],
      ...idIndex,
      network: ({ metadata, spec }) => spec.networks.map((name) => `${metadata.namespace}/${name}`),
    },
  });
}
