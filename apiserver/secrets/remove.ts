import { nameList } from '../../core/api/nameList.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import { secretNamesOf } from '../../core/api/rules/secretReferences.ts';
import { ownerOf } from '../../core/api/views/objectMeta.ts';
import { describeSecret, toSecret } from '../../core/api/views/secretView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import { livePages } from '../store/livePages.ts';
import type { SecretDeps } from './deps.ts';

const pageSize = 500;

/** Deletes a secret that no network of the workspace refers to, and no feature needs. This is checked with a live list, not the cache. */
export function deleteSecret(deps: SecretDeps): Handler<'deleteSecret'> {
  return async ({ principal, params }) => {
    const resource = await deps.find(principal.namespace, params.id);
    const { name, namespace } = resource.metadata;
    checkMayDelete(resource, principal);
    const where = { namespace, limit: pageSize };
    for await (const { items } of livePages(deps.kube, networkType, where)) refuseReferenced(name, items);
    for (const keepsSecret of deps.keepSecrets) await keepsSecret({ namespace, name });
    const wasThere = await forCaller(
      deps.kube.delete(secretType, resource.metadata, { uid: resource.metadata.uid }),
    );
    if (!wasThere) throw notFound('Secret');
    return { body: toSecret(resource, principal.workspaceId), objects: [describeSecret(resource)] };
  };
}

/** Allowed for its owner and for administrators; a secret without an owner belongs to the whole workspace. */
function checkMayDelete(resource: Stored<SecretResource>, principal: Principal): void {
  const owner = ownerOf(resource);
  const isAdministrator = principal.role === 'owner' || principal.role === 'admin';
  if (owner === undefined || owner === principal.userId || isAdministrator) return;
  throw new AppError(
    'Forbidden',
    'the secret belongs to another user: only its owner or an administrator of the workspace can delete it',
  );
}

function refuseReferenced(secretName: string, networks: readonly NetworkResource[]): void {
  const names = networks
    .filter((network) => secretNamesOf(network.spec).includes(secretName))
    .map(({ metadata }) => `"${metadata.name}"`);
  if (names.length === 0) return;
  throw new AppError('Conflict', `the secret is in use: delete network ${nameList(names)} first`);
}
