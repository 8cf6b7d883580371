import { openSecret } from '../../core/accounts/openSecret.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import type { ObjectMeta } from '../../core/api/common.ts';
import { apiVersion, labels } from '../../core/api/names.ts';
import type { SecretBody, SecretResource } from '../../core/api/resources/secret.ts';
import { readLabel, type UserLabels, userLabelsIn } from '../../core/api/userLabels.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Principal } from '../http/auth/principal.ts';

export interface NewSecret {
  name: string;
  type: string;
  sealed: string;
  labels: UserLabels | undefined;
}

/** The Secret custom resource for a new secret of the caller; its data is already sealed. */
export function toNewResource(
  { name, type, sealed, labels: given }: NewSecret,
  principal: Principal,
): SecretResource {
  return {
    apiVersion,
    kind: 'Secret',
    metadata: {
      name,
      namespace: principal.namespace,
      labels: { ...given, [labels.owner]: principal.userId, [labels.workspace]: principal.workspaceId },
    },
    spec: { type, data: sealed },
  };
}

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

/** The raw bytes in Base64. Throws Internal if they cannot be unsealed. */
export function openData(resource: SecretResource, sealer: Sealer): string {
  return openSecret(sealer, resource).toString('base64');
}

/** A selectable field as text. */
export function readSecretField(resource: Stored<SecretResource>, field: string): string | undefined {
  if (field === 'type') return resource.spec.type;
  if (field === 'metadata.name') return resource.metadata.name;
  return field === 'metadata.ownerID' ? ownerOf(resource) : readLabel(resource, field);
}

export function idOf(resource: Stored<SecretResource>): string {
  return resource.metadata.uid;
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
