import type { KubeObject } from './kube.ts';

/** An object's owner; without a namespace, for an owner that is not in one. */
export interface Owner {
  metadata: { uid: string; namespace?: string };
}

/**
 * Whether an object belongs to `owner`: it is in the owner's namespace and names the owner's uid. Labels and names do
 * not count: anybody may copy them.
 */
export function ownedBy({ metadata: { uid, namespace } }: Owner): (object: KubeObject) => boolean {
  return ({ metadata }) =>
    metadata.namespace === namespace && (metadata.ownerReferences ?? []).some((owner) => owner.uid === uid);
}

/** An index of a cache: the uids of an object's owners of this kind. Namespaces are not compared yet. */
export function ownerIndex(kind: string): (object: KubeObject) => string[] {
  return ({ metadata }) =>
    (metadata.ownerReferences ?? []).filter((owner) => owner.kind === kind).map(({ uid }) => uid);
}
