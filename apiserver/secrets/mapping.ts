import { openSecret } from '../../core/accounts/openSecret.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import { apiVersion, labels } from '../../core/api/names.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { UserLabels } from '../../core/api/userLabels.ts';
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

/** The raw bytes in Base64. Throws Internal if they cannot be unsealed. */
export function openData(resource: SecretResource, sealer: Sealer): string {
  return openSecret(sealer, resource).toString('base64');
}
