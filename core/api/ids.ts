import { labels } from './names.ts';
import type { KubeMeta, KubeObject, NamespacedObject, Stored } from './resources/kubeObject.ts';

/** The members of an object that its id depends on. */
interface Identified {
  metadata: Pick<
    Stored<KubeObject>['metadata'],
    'uid' | 'labels' | 'creationTimestamp' | 'deletionTimestamp'
  >;
  status?: unknown;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text has the form of an id: a UUID in lower case, as a host name can carry it. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** What has the form of an id in a text. */
export function uuidsIn(text: string): readonly string[] {
  return text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
}

/**
 * The id of an object: over REST, in URLs and events, and in what other objects keep of it. It is the object's label, which a
 * restore, a move to another cluster and a manifest in Git keep; without one it is the uid of Kubernetes.
 */
export function idOf({ metadata }: Identified): string {
  return labelledId(metadata) ?? metadata.uid;
}

/** Whether an object is the one with this id, or with this uid, by which a release without ids may have noted it. */
export function hasId({ metadata }: KubeObject, id: string): boolean {
  return labelledId(metadata) === id || metadata.uid === id;
}

/**
 * The uid that names, scopes and secrets of what runs for an object derive from: its own, or the one that it had before a
 * restore, as its status says. An object that is created again with the same id has another one, and so inherits nothing.
 */
export function originOf({
  metadata,
  status,
}: Stored<KubeObject> & { status?: { origin?: string | undefined } }): string {
  return status?.origin ?? metadata.uid;
}

/** The id that the label of an object says; undefined without a label, or if it does not have the form of an id. */
export function labelledId({ labels: own }: Pick<KubeMeta, 'labels'>): string | undefined {
  const id = own?.[labels.id];
  return id !== undefined && isUuid(id) ? id : undefined;
}

/** The object with an id of its own, unless it has one. */
export function withNewId<T extends KubeObject>(object: T): T {
  const { metadata } = object;
  if (labelledId(metadata) !== undefined) return object;
  return {
    ...object,
    metadata: { ...metadata, labels: { ...metadata.labels, [labels.id]: crypto.randomUUID() } },
  };
}

/** Where the index `id` of a cache has an object: ids are those of a workspace. */
export function idKey(namespace: string, id: string): string {
  return `${namespace}/${id}`;
}

/** The index that `findById` needs: by id, and by uid. */
export const idIndex = {
  id(object: Stored<NamespacedObject>): string[] {
    const { namespace, uid } = object.metadata;
    return [...new Set([idOf(object), uid])].map((id) => idKey(namespace, id));
  },
};

/** By origin. */
export const originIndex = {
  origin: (object: Stored<NamespacedObject>): string[] => [
    idKey(object.metadata.namespace, originOf(object)),
  ],
};

interface ById<T extends KubeObject> {
  byIndex(index: 'id', key: string): readonly Stored<T>[];
}

/**
 * The object of a workspace with this id: of several, the oldest, until the operator has given the others their own ids. An object
 * that has another id is found by its uid only where that is nobody's id. Requires `idIndex`.
 */
export function findById<T extends KubeObject>(
  cache: ById<T>,
  namespace: string,
  id: string,
): Stored<T> | undefined {
  const found = cache.byIndex('id', idKey(namespace, id));
  return oldest(found.filter((one) => idOf(one) === id)) ?? oldest(found);
}

/** Whether an object keeps its id: one that repeats that of an older one gets another from the operator. Requires `idIndex`. */
export function keepsId<T extends NamespacedObject>(cache: ById<T>, object: Stored<T>): boolean {
  return findById(cache, object.metadata.namespace, idOf(object))?.metadata.uid === object.metadata.uid;
}

/** Of objects with one id, the one that keeps it. */
export function oldest<T extends Identified>(objects: readonly T[]): T | undefined {
  return objects.length > 1 ? byAge(objects)[0] : objects[0];
}

/**
 * The oldest first, and those that are being deleted last. Of objects of one second, those that somebody has begun to work on, then
 * by uid, so that everybody finds the same order.
 */
export function byAge<T extends Identified>(objects: readonly T[]): T[] {
  const ageOf = ({ metadata: { creationTimestamp, deletionTimestamp, uid }, status }: T) =>
    [deletionTimestamp === undefined ? 0 : 1, creationTimestamp, status === undefined ? 1 : 0, uid].join(' ');
  return objects.toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1));
}
