/** The interface between Slipway and a Kubernetes API, used by both processes. No run-time code here. */

import type { KubeObject, ResourceType, Stored } from '../api/resources/kubeObject.ts';

export type {
  KubeObject,
  OwnerReference,
  ResourceType,
  Stored,
} from '../api/resources/kubeObject.ts';

export interface ObjectRef {
  namespace?: string;
  name: string;
}

export interface ListOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  limit?: number;
  continueToken?: string;
  resourceVersion?: string;
  /** `Exact`: as it was at `resourceVersion`; Conflict when that is compacted. */
  resourceVersionMatch?: 'Exact';
  /** Only apiVersion, kind and metadata of each object (PartialObjectMetadataList). */
  isMetadataOnly?: boolean;
}

export interface ListPage<T extends KubeObject> {
  items: Stored<T>[];
  resourceVersion: string;
  continueToken?: string;
  /** The number of objects after this page; not reported for a list with a selector. */
  remaining?: number;
}

export interface WatchOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  resourceVersion: string;
  signal: AbortSignal;
}

export type WatchEvent<T extends KubeObject> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: Stored<T> }
  | { type: 'BOOKMARK'; resourceVersion: string };

interface ApplyOptions {
  fieldManager: string;
  subresource?: 'status';
}

export interface DeleteOptions {
  /** The delete fails with Conflict when the object now has another uid. */
  uid?: string;
  resourceVersion?: string;
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/**
 * A Kubernetes API. Failures are AppErrors: NotFound, Conflict (already exists, or changed meanwhile),
 * BadRequest (refused by validation or admission; details name the fields), Forbidden, TooManyRequests,
 * Unavailable (not reached, or not ready; the request may be retried).
 */
export interface Kube {
  /** The object, or undefined when it does not exist. */
  get<T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef): Promise<Stored<T> | undefined>;
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ListPage<T>>;
  create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<Stored<T>>;
  /** PUT: the whole object; with metadata.resourceVersion set, Conflict when it changed meanwhile. */
  replace<T extends KubeObject>(type: ResourceType<T>, object: T, subresource?: 'status'): Promise<Stored<T>>;
  /** Server-side apply with force: the field manager takes ownership of the fields in `object`. */
  apply<T extends KubeObject>(type: ResourceType<T>, object: T, options: ApplyOptions): Promise<Stored<T>>;
  /** JSON merge patch (RFC 7386): null removes a member. */
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    patch: object,
    subresource?: 'status' | 'ephemeralcontainers',
  ): Promise<Stored<T>>;
  /** False when the object did not exist. */
  delete(type: ResourceType, ref: ObjectRef, options?: DeleteOptions): Promise<boolean>;
  /** Events after `resourceVersion`, until the server ends the watch; throws AppError('Conflict') on 410 Gone. */
  watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** The cluster's time in ms since the epoch: the Date header of kube-apiserver, extrapolated by a monotonic clock. */
  serverTimeMs(): Promise<number>;
}

export interface PodLogOptions {
  container?: string;
  /** Whether the text goes on as the container writes. */
  isFollowed: boolean;
  /** How many of its last lines; 0 for none. */
  tailLines: number;
  /** The text ends after this many bytes. */
  limitBytes?: number;
  signal: AbortSignal;
}

/** The text that a container wrote, from kube-apiserver. Rejects before the first part with an AppError. */
export type OpenPodLog = (ref: ObjectRef, options: PodLogOptions) => Promise<AsyncIterable<string>>;
