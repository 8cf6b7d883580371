import { labels } from '../api/names.ts';
import type { ReplayResource } from '../api/resources/replayResource.ts';
import { replayType } from '../api/resources/resources.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../kube/cache/reflector.ts';

/** All runs, without the objects that belong to them. Not started yet. */
export function createReplayCache(
  options: Pick<ReflectorOptions<ReplayResource>, 'kube' | 'clock' | 'log' | 'kubeMetrics'>,
): Reflector<ReplayResource> {
  return createReflector({ ...options, type: replayType, labelSelector: `${labels.role}=run` });
}
