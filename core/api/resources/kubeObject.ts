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

/** The reference that makes an object deleted with its owner, by the cluster's garbage collector. */
export function ownerReferenceTo({ apiVersion, kind, metadata }: Stored<KubeObject>): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid };
}

/** The same for the one owner that manages the object. */
export function controllerReferenceTo(owner: Stored<KubeObject>): OwnerReference {
  return { ...ownerReferenceTo(owner), controller: true };
}
