import { compact } from '../../lib/compact.ts';
import type { ObjectMeta } from '../common.ts';
import { idOf } from '../ids.ts';
import { labels } from '../names.ts';
import type { Stored } from '../resources/kubeObject.ts';
import type { SecretBody, SecretResource } from '../resources/secret.ts';
import { readLabel, userLabelsIn } from '../userLabels.ts';

/** The Secret of REST, without its data. */
export function toSecret(resource: Stored<SecretResource>, workspaceId: string): SecretBody {
  return {
    kind: 'Secret',
    version: 'v1alpha',
    id: idOf(resource),
    name: resource.metadata.name,
    metadata: toObjectMeta(resource, workspaceId),
    type: resource.spec.type,
  };
}

/** A selectable field as text. */
export function readSecretField(resource: Stored<SecretResource>, field: string): string | undefined {
  if (field === 'type') return resource.spec.type;
  if (field === 'metadata.name') return resource.metadata.name;
  return field === 'metadata.ownerID' ? ownerOf(resource) : readLabel(resource, field);
}

export function ownerOf(resource: Stored<SecretResource>): string | undefined {
  return resource.metadata.labels?.[labels.owner];
}

/** The object for the audit line. */
export function describeSecret(resource: Stored<SecretResource>): string {
  return `secret ${resource.metadata.name} (${idOf(resource)})`;
}

function toObjectMeta(resource: Stored<SecretResource>, workspaceId: string): ObjectMeta {
  const { name, creationTimestamp, generation = 0 } = resource.metadata;
  return {
    name,
    rev: generation,
    createdAt: creationTimestamp,
    updatedAt: creationTimestamp,
    ...compact({ ownerID: ownerOf(resource) }),
    workspace: workspaceId,
    ...userLabelsIn(resource),
  };
}
