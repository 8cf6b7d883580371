import type { UserResource } from '../../core/api/resources/accountResources.ts';
import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import type { AppError } from '../../core/lib/errors.ts';
import { forCaller, type Store } from '../store/kubeErrors.ts';
import { listLive, type Selection } from './list.ts';

/** A quota of account objects of one kind, which are read live. */
export interface Quota<T extends KubeObject> {
  type: ResourceType<T>;
  /** Which objects count. */
  selection: Selection;
  /** Why there must not be one more beside these; undefined if there may be. */
  refuse(others: readonly Stored<T>[]): AppError | undefined;
}

/** Refuses one more than `max` objects. */
export function atMost(
  max: number,
  refusal: (count: number) => AppError,
): (others: readonly unknown[]) => AppError | undefined {
  return ({ length: count }) => (count < max ? undefined : refusal(count));
}

export type AccountQuota = Quota<UserResource>;

interface Place {
  kube: Pick<Store, 'list' | 'delete'>;
  /** The namespace of the service. */
  namespace: string;
}

/** Throws if one more object would exceed the quota. `name`: an earlier attempt may have created it already. */
export async function checkQuota<T extends KubeObject>(
  place: Place,
  quota: Quota<T>,
  name: string,
): Promise<void> {
  const refusal = await refusalOf(place, quota, name);
  if (refusal) throw refusal;
}

/**
 * Checks a quota again after the object was created: of several concurrent requests that all saw the last free place,
 * each now sees the others, and those over the quota delete their object again.
 */
export async function keepWithinQuota<T extends KubeObject>(
  place: Place,
  quota: Quota<T>,
  { metadata }: Stored<T>,
): Promise<void> {
  const refusal = await refusalOf(place, quota, metadata.name);
  if (!refusal) return;
  await forCaller(place.kube.delete(quota.type, metadata, { uid: metadata.uid }));
  throw refusal;
}

/** Looks at all objects but the one with this name. */
async function refusalOf<T extends KubeObject>(
  place: Place,
  quota: Quota<T>,
  name: string,
): Promise<AppError | undefined> {
  const all = await listLive(place, quota.type, quota.selection);
  return quota.refuse(all.filter(({ metadata }) => metadata.name !== name));
}
