import { idOf } from '../../core/api/ids.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import { ownerOf } from '../../core/api/views/objectMeta.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';

export function locationOf(resource: Stored<TokenResource>): string {
  return `/v1alpha1/transaction/token/${idOf(resource)}`;
}

/** The object for the audit line. */
export function describeToken(resource: Stored<TokenResource>): string {
  return `token ${resource.metadata.name} (${idOf(resource)})`;
}

/** Whether a token belongs to the caller or to the whole workspace. */
export function isOwn(resource: Stored<TokenResource>, { userId }: Principal): boolean {
  const owner = ownerOf(resource);
  return owner === undefined || owner === userId;
}

/** Allowed for its owner and for administrators of the workspace. */
export function checkMayDelete(resource: Stored<TokenResource>, principal: Principal): void {
  const isAdministrator = principal.role === 'owner' || principal.role === 'admin';
  if (isAdministrator || isOwn(resource, principal)) return;
  throw new AppError(
    'Forbidden',
    'the token belongs to another user: only its owner or an administrator of the workspace can delete it',
  );
}

/** Nobody can use another user's key. Without an owner, only owners of the workspace can deploy the token. */
export function checkMayDeploy(resource: Stored<TokenResource>, principal: Principal): void {
  const owner = ownerOf(resource);
  if (owner === principal.userId || (owner === undefined && principal.role === 'owner')) return;
  const whose = owner === undefined ? 'an owner of the workspace' : 'another user';
  throw new AppError(
    'Forbidden',
    `the token belongs to ${whose}, whose key signs its deployments: only they can deploy it`,
  );
}
