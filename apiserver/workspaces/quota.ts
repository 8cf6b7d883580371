import type { ResourceType } from '../../core/api/resources/kubeObject.ts';
import type { KubeObject, Stored } from '../../core/kube/kube.ts';
import type { AppError } from '../../core/lib/errors.ts';
import { forCaller } from '../store/kubeErrors.ts';
import type { WorkspaceDeps } from './deps.ts';

/** A quota of objects of one kind. */
export interface Quota {
  max: number;
  /** How many objects count now, read live, without the one named `except`. */
  count(except?: string): Promise<number>;
  refusal(count: number): AppError;
}

/** Throws if one more object would exceed the quota. `name`: an earlier attempt may have created it already. */
export async function checkQuota(quota: Quota, name: string): Promise<void> {
  const count = await quota.count(name);
  if (count >= quota.max) throw quota.refusal(count);
}

/**
 * Checks a quota again after the object was created: of several concurrent requests that all saw the last free place,
 * each now sees the others, and those over the quota delete their object again.
 */
export async function keepWithinQuota<T extends KubeObject>(
  { kube }: Pick<WorkspaceDeps, 'kube'>,
  quota: Quota,
  { type, object }: { type: ResourceType<T>; object: Stored<T> },
): Promise<void> {
  const count = await quota.count(object.metadata.name);
  if (count < quota.max) return;
  const { uid } = object.metadata;
  await forCaller(kube.delete(type, object.metadata, { uid }));
  throw quota.refusal(count);
}
