import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, ObjectRef } from '../../core/kube/kube.ts';
import { parseVersion, versionOf } from '../../core/kube/objects.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { patienceMs, untilReached } from './untilReached.ts';
import type { Written } from './written.ts';

/** What is needed of a cache, whatever its objects are. */
export interface Watched
  extends Pick<Reflector<never>, 'onProgress' | 'refresh' | 'lists' | 'seenVersion' | 'lastSyncMs'> {
  type: Kind;
  get(ref: ObjectRef): Stored<KubeObject> | undefined;
  observe(object: Stored<KubeObject>): void;
}
type Kind = Pick<ResourceType, 'group' | 'kind'>;
/** The cache of a kind, if requests are answered from it. */
export type WatchedOf = (kind: Kind) => Watched | undefined;
type Deletion = Parameters<Kube['delete']>;
export type Writes = Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'apply' | 'patch' | 'delete'>;

interface NotingOptions {
  written: Pick<Written, 'note'>;
  clock: Clock;
  watchedOf: WatchedOf;
}

/** The same cluster: what is written, and what is read of one object, is put into its cache and noted. */
export function notingKube<K extends Writes>(kube: K, { written, clock, watchedOf }: NotingOptions): K {
  async function noted<R extends Stored<KubeObject> | undefined>(type: Kind, answer: Promise<R>): Promise<R> {
    const object = await answer;
    const watched = watchedOf(type);
    if (!object || !watched) return object;
    // It is there even if kube-apiserver goes away before the watch shows it.
    watched.observe(object);
    written.note(type.kind, versionOf(object));
    return object;
  }

  async function remove(...deletion: Deletion): Promise<boolean> {
    const [type, ref, options] = deletion;
    const watched = watchedOf(type);
    if (!watched) return kube.delete(...deletion);
    const cached = watched.get(ref);
    const isMeant = cached && (options?.uid ?? cached.metadata.uid) === cached.metadata.uid;
    const target = isMeant ? cached : await kube.get(type, ref);
    const wasThere = await kube.delete(...deletion);
    const version = target ? await deletedBy(kube, { type, watched, target, clock }) : watched.seenVersion();
    written.note(type.kind, version);
    return wasThere;
  }

  return {
    ...kube,
    get: (type, ref) => noted(type, kube.get(type, ref)),
    create: (type, object) => noted(type, kube.create(type, object)),
    replace: (type, object, subresource) => noted(type, kube.replace(type, object, subresource)),
    apply: (type, object, options) => noted(type, kube.apply(type, object, options)),
    patch: (type, ref, ...change) => noted(type, kube.patch(type, ref, ...change)),
    delete: remove,
  };
}

interface Deleted {
  type: ResourceType;
  watched: Watched;
  target: Stored<KubeObject>;
  clock: Clock;
}

/** A version by which an object is deleted. No answer to a deletion says it: the watch does, or else a live list. */
async function deletedBy(kube: Writes, { type, watched, target, clock }: Deleted): Promise<bigint> {
  try {
    await untilReached(watched, { clock, limitMs: 2 * patienceMs }, () => isGone(watched, target));
    return watched.seenVersion();
  } catch {
    const { namespace } = target.metadata;
    const scope = namespace === undefined ? {} : { namespace };
    const page = await kube.list(type, { ...scope, isMetadataOnly: true, limit: 1 }).catch(outcomeUnknown);
    return parseVersion(page.resourceVersion);
  }
}

/** Rejects with the error of a write that may have been made, and that not every replica can know of. */
export function outcomeUnknown(cause: unknown): never {
  const message =
    'it is not known whether the change was made: read what it concerns, or repeat the request with the same Idempotency-Key';
  throw new AppError('Unavailable', message, { cause, retryAfterSeconds: 2, isOutcomeUnknown: true });
}

/** Whether the watch has reported that an object was deleted, or is being deleted. */
function isGone({ get, seenVersion }: Watched, target: Stored<KubeObject>): boolean {
  if (seenVersion() < versionOf(target)) return false;
  const object = get(target.metadata);
  return object?.metadata.uid !== target.metadata.uid || object.metadata.deletionTimestamp !== undefined;
}
