import type { KubeObject, ResourceType } from '../core/api/kubeObject.ts';
import { AppError } from '../core/lib/errors.ts';
import type { ObjectCache } from './cache.ts';
import { forCaller, type Store } from './kubeErrors.ts';

const pageSize = 500;

/** The object of a workspace by its id; NotFound, in the same words, when it is unknown or another workspace's. */
export type Find<T extends KubeObject> = (namespace: string, id: string) => Promise<T>;

export interface FindDeps<T extends KubeObject> {
  kube: Pick<Store, 'get' | 'list'>;
  cache: ObjectCache<T>;
  type: ResourceType<T>;
}

/** Finds in the cache; on a miss asks kube-apiserver, because another replica may just have created the object. */
export function createFind<T extends KubeObject>({ kube, cache, type }: FindDeps<T>): Find<T> {
  const listNames = createSharedLister(kube, type);
  return async (namespace, id) => {
    const cached = cache.byId(namespace, id);
    if (cached) return cached;
    const name = isUid(id) ? (await listNames(namespace)).get(id) : undefined;
    const live = name === undefined ? undefined : await forCaller(kube.get(type, { namespace, name }));
    if (live?.metadata.uid !== id) throw notFound(type.kind);
    cache.observe(live);
    return live;
  };
}

export function notFound(kind: string): AppError {
  return new AppError('NotFound', `there is no ${kind.toLowerCase()} with this id`);
}

function isUid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}

type ListNames = (namespace: string) => Promise<ReadonlyMap<string, string>>;

/**
 * Names by uid in a namespace, read live. Callers that come while a list is under way share the next one, not this
 * one, which may have been answered before the object they look for was there.
 */
function createSharedLister<T extends KubeObject>(
  kube: Pick<Store, 'list'>,
  type: ResourceType<T>,
): ListNames {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<ReadonlyMap<string, string>>>();

  return (namespace) => {
    const shared = waiting.get(namespace);
    if (shared) return shared;
    const before = running.get(namespace) ?? Promise.resolve();
    const next = before
      .catch(() => undefined)
      .then(() => {
        waiting.delete(namespace);
        running.set(namespace, next);
        return readNames(kube, type, namespace);
      })
      .finally(() => {
        if (running.get(namespace) === next) running.delete(namespace);
      });
    waiting.set(namespace, next);
    return next;
  };
}

async function readNames<T extends KubeObject>(
  kube: Pick<Store, 'list'>,
  type: ResourceType<T>,
  namespace: string,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let continueToken: string | undefined;
  do {
    const page = await forCaller(
      kube.list(type, {
        namespace,
        isMetadataOnly: true,
        limit: pageSize,
        ...(continueToken ? { continueToken } : {}),
      }),
    );
    for (const { metadata } of page.items) names.set(metadata.uid ?? '', metadata.name);
    continueToken = page.continueToken;
  } while (continueToken);
  return names;
}
