import { idOf, isUuid, oldest } from '../../core/api/ids.ts';
import type { NamespacedObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { IsShown, ObjectCache } from './cache.ts';
import { forCaller, type Store } from './kubeErrors.ts';
import { liveMetadata } from './livePages.ts';
import { shareNext } from './shareNext.ts';

/** The object of a workspace by its id. Throws the same NotFound if it is unknown or in another workspace. */
export type Find<T extends NamespacedObject> = (namespace: string, id: string) => Promise<Stored<T>>;

export interface FindDeps<T extends NamespacedObject> {
  kube: Pick<Store, 'get' | 'list'>;
  cache: ObjectCache<T>;
  type: ResourceType<T>;
  isShown: IsShown;
}

/** Looks in the cache, and on a miss in kube-apiserver, because a user of kubectl may just have created the object. */
export function createFind<T extends NamespacedObject>({ kube, cache, type, isShown }: FindDeps<T>): Find<T> {
  const listNames = shareNext((namespace) => readNames(kube, type, namespace));
  return async (namespace, id) => {
    const cached = cache.byId(namespace, id);
    if (cached) return cached;
    const name = isUuid(id) ? (await listNames(namespace)).get(id) : undefined;
    const live = name === undefined ? undefined : await forCaller(kube.get(type, { namespace, name }));
    if (!live || idOf(live) !== id || !isShown(live)) throw notFound(type.kind);
    return live;
  };
}

export function notFound(kind: string): AppError {
  return new AppError('NotFound', `${kind.toLowerCase()} not found: check the id`);
}

/** Names by id in a namespace, read live; of several objects with one id, the oldest. */
async function readNames<T extends NamespacedObject>(
  kube: Pick<Store, 'list'>,
  type: ResourceType<T>,
  namespace: string,
): Promise<ReadonlyMap<string, string>> {
  const objects: { metadata: Stored<T>['metadata'] }[] = [];
  for await (const page of liveMetadata(kube, type, namespace))
    objects.push(...page.map((metadata) => ({ metadata })));
  const names = new Map<string, string>();
  for (const [id, ofId] of Map.groupBy(objects, idOf)) names.set(id, oldest(ofId)?.metadata.name ?? '');
  return names;
}
