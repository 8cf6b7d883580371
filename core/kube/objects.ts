import type { KubeObject, ObjectRef, Stored } from './kube.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Namespace and name as one string, unique among objects of one kind. */
export function keyOf(ref: ObjectRef): string {
  return `${ref.namespace ?? ''}/${ref.name}`;
}

/** The namespace and name in a key of `keyOf`. */
export function refOf(key: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}

/** The object without managed fields and last-applied annotation, which are a fifth to a third of its size. */
export function strip<T extends KubeObject>(object: T): T {
  const { annotations: notes = {} } = object.metadata;
  if (!('managedFields' in object.metadata) && !(lastApplied in notes)) return object;
  const { managedFields: _, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  if (metadata.annotations && lastApplied in metadata.annotations) {
    const { [lastApplied]: _applied, ...annotations } = metadata.annotations;
    metadata.annotations = annotations;
  }
  return { ...object, metadata };
}

/** Texts as the `data` of a Secret, by name. */
export function secretDataOf(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
}

/** An object's resourceVersion as a number that grows with every write in the cluster. */
export function versionOf(object: Pick<Stored<KubeObject>, 'metadata'>): bigint {
  return parseVersion(object.metadata.resourceVersion);
}

/** A resourceVersion as a number; 0 when it is not one. */
export function parseVersion(resourceVersion: string): bigint {
  return /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : 0n;
}
