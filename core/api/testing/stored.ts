import type { KubeObject, Stored } from '../resources/kubeObject.ts';

/** An object as if the API server had stored it: what the server sets and the object lacks is made up. */
export function asStored<T extends KubeObject>(object: T): Stored<T> {
  const { namespace = '', name } = object.metadata;
  const set = {
    uid: `uid-${namespace}-${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-15T09:30:00Z',
  };
  return { ...object, metadata: { ...set, ...object.metadata } };
}
