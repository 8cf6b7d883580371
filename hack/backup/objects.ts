import { featureResources } from '../../core/api/features.ts';
import { annotations, apiGroup, labels } from '../../core/api/names.ts';
import {
  type KubeMeta,
  type KubeObject,
  type ResourceType,
  resourceType,
  type Stored,
} from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import * as resources from '../../core/api/resources/resources.ts';
import type { Kube, ListOptions } from '../../core/kube/kube.ts';
import { listPages } from '../../core/kube/pages.ts';
import { configMapType, coreSecretType, namespaceType } from '../../core/kube/types.ts';
import { isAppError } from '../../core/lib/errors.ts';

/** An object of any kind, as the API serves it. */
export interface AnyObject extends KubeObject {
  metadata: KubeMeta & { managedFields?: object[] };
  spec?: object;
  status?: object;
  data?: Record<string, string>;
}

export const definitionType = resourceType<AnyObject>(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  false,
);

/** Also what all that needs: definitions, namespaces, the Secrets of the service, and the ConfigMaps with the parts of snapshots. */
const placesIn = (namespace: string): (ListOptions & { type: ResourceType<AnyObject> })[] => [
  { type: definitionType },
  { type: namespaceType, fieldSelector: `metadata.name=${namespace}` },
  // Certificates have another type: the chart makes them itself.
  { type: coreSecretType, namespace, fieldSelector: 'type=Opaque' },
  { type: namespaceType, labelSelector: labels.workspace },
  // Every custom resource of Slipway: a new kind is backed up without being named here.
  ...[...Object.values(resources), ...featureResources.map(({ type }) => type)].map((type) => ({ type })),
  { type: configMapType, labelSelector: labels.snapshot },
];

/** Whether the cluster knows a kind. */
export function isServed(kube: Kube, type: ResourceType): Promise<boolean> {
  return kube.list(type, { limit: 1 }).then(
    () => true,
    (error: unknown) => {
      if (isAppError(error, 'NotFound')) return false;
      throw error;
    },
  );
}

/** All objects that a backup has of the service in a namespace. */
export async function readAll(
  kube: Kube,
  namespace: string,
  options: ListOptions = {},
): Promise<Stored<AnyObject>[]> {
  const found: Stored<AnyObject>[] = [];
  for (const { type, ...selection } of placesIn(namespace)) {
    if (!(await isServed(kube, type))) continue;
    const pages = listPages(kube, type, { ...options, ...selection, limit: 100 });
    for await (const { items } of pages) found.push(...items.filter(isOurs));
  }
  return found;
}

const isOurs = ({ kind, metadata }: AnyObject) =>
  kind !== definitionType.kind || metadata.name.endsWith(`.${apiGroup}`);

/** The type of an object that a restore writes. */
export function typeOf<T extends KubeObject>({ apiVersion, kind, metadata }: T): ResourceType<T> {
  return resourceType(apiVersion, kind, metadata.namespace !== undefined);
}

export function isNetwork(object: Stored<AnyObject>): object is Stored<AnyObject & NetworkResource> {
  return object.kind === resources.networkType.kind;
}

/** What messages call an object. */
export function placeOf({
  kind,
  metadata: { namespace, name },
}: Pick<AnyObject, 'kind' | 'metadata'>): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** The members with the uid of another object: an owner, a membership, and the Workspace of a namespace. */
const links = ['uid', 'membership', annotations.workspaceUid];

/** The value with other uids in these members, at every depth. */
export function withUids<T>(value: T, change: (uid: string) => string): T {
  return JSON.parse(JSON.stringify(value), (member, own) =>
    links.includes(member) && typeof own === 'string' ? change(own) : own,
  );
}

/** The uids of other objects in these members. */
export function uidsIn(value: object): string[] {
  const found: string[] = [];
  withUids(value, (uid) => {
    found.push(uid);
    return uid;
  });
  return found;
}

/** By what others name it: its uid, or the name of a namespace. */
export function keyOf({ kind, metadata }: AnyObject): string {
  return (kind === namespaceType.kind ? metadata.name : metadata.uid) ?? '';
}

/**
 * The objects in an order in which they can be created: each after those that its metadata and spec name. A status may name any object.
 * What is being deleted is left out, with what Kubernetes deletes because its owners or its namespace are gone.
 */
export function inOrder(objects: readonly Stored<AnyObject>[]): Set<Stored<AnyObject>> {
  const byKey = new Map(objects.map((one) => [keyOf(one), one]));
  const seen = new Set<AnyObject>();
  const kept = new Map<string, Stored<AnyObject>>();
  const visit = (one: Stored<AnyObject> | undefined) => {
    if (!one || seen.has(one)) return;
    seen.add(one);
    const { namespace = '', annotations: notes, deletionTimestamp, ownerReferences = [] } = one.metadata;
    for (const named of [namespace, ...uidsIn([ownerReferences, notes, one.spec])]) visit(byKey.get(named));
    const isOwned = ownerReferences.length === 0 || ownerReferences.some(({ uid }) => kept.has(uid));
    const isPlaced = kept.has(namespace) || !byKey.has(namespace);
    if (isOwned && isPlaced && deletionTimestamp === undefined) kept.set(keyOf(one), one);
  };
  for (const one of objects) visit(one);
  return new Set(kept.values());
}
