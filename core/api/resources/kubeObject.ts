/** The part of the Kubernetes object model that the contract uses. */

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface KubeMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: KubeMeta;
}

export interface NamespacedMeta extends KubeMeta {
  namespace: string;
}

/** An object of a kind that lives in namespaces: it names its own from the start. */
export interface NamespacedObject extends KubeObject {
  metadata: NamespacedMeta;
}

/** What the API server sets on every object. Not all kinds count generations, so that member stays optional. */
interface StoredMeta extends KubeMeta {
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
}

/** An object as the API server stores it. A plain `T` may still be on its way there. */
export type Stored<T extends KubeObject> = T & { metadata: StoredMeta };

/** A kind of object as the API serves it; `T` exists only for the compiler. */
export interface ResourceType<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
  plural: string;
  isNamespaced: boolean;
  readonly example?: T;
}

/** The type of a kind, such as `Deployment` of `apps/v1`. Its plural is that of the English word, as for all kinds of Kubernetes. */
export function resourceType<T extends KubeObject>(
  apiVersion: string,
  kind: string,
  isNamespaced = true,
): ResourceType<T> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, kind, plural: pluralOf(kind.toLowerCase()), isNamespaced };
}

/** Of a word that is a plural already, such as `keyepochs`, the same. */
function pluralOf(word: string): string {
  if (word.endsWith('y') && !'aeiou'.includes(word.at(-2) ?? '')) return `${word.slice(0, -1)}ies`;
  if (['ss', 'x', 'ch'].some((end) => word.endsWith(end))) return `${word}es`;
  return word.endsWith('s') ? word : `${word}s`;
}

/** The reference that makes an object deleted with its owner, by the cluster's garbage collector. */
export function ownerReferenceTo({ apiVersion, kind, metadata }: Stored<KubeObject>): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid };
}

/** The same for the one owner that manages the object. */
export function controllerReferenceTo(owner: Stored<KubeObject>): OwnerReference {
  return { ...ownerReferenceTo(owner), controller: true };
}
