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
