import { idOf } from '../ids.ts';
import type { Stored } from '../resources/kubeObject.ts';
import type { SecretBody, SecretResource } from '../resources/secret.ts';
import { readMetaField, toObjectMeta } from './objectMeta.ts';

/** The Secret of REST, without its data. */
export function toSecret(resource: Stored<SecretResource>, workspaceId: string): SecretBody {
  return {
    kind: 'Secret',
    version: 'v1alpha',
    id: idOf(resource),
    name: resource.metadata.name,
    metadata: toObjectMeta(resource, { workspaceId }),
    type: resource.spec.type,
  };
}

/** A selectable field as text. */
export function readSecretField(resource: Stored<SecretResource>, field: string): string | undefined {
  return field === 'type' ? resource.spec.type : readMetaField(resource, field);
}

/** The object for the audit line. */
export function describeSecret(resource: Stored<SecretResource>): string {
  return `secret ${resource.metadata.name} (${idOf(resource)})`;
}
