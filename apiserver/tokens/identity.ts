import { labels } from '../../core/api/names.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';

export function idOf({ metadata }: Stored<TokenResource>): string {
  return metadata.uid;
}

/** A token that came by kubectl may have none: it belongs to all of the workspace. */
export function ownerOf({ metadata }: Stored<TokenResource>): string | undefined {
  return metadata.labels?.[labels.owner];
}

export function locationOf(resource: Stored<TokenResource>): string {
  return `/v1alpha1/transaction/token/${idOf(resource)}`;
}

/** What the audit line names. */
export function describeToken(resource: Stored<TokenResource>): string {
  return `token ${resource.metadata.name} (${idOf(resource)})`;
}

/** Whether a token is the caller's own, or everybody's in the workspace. */
export function isOwn(resource: Stored<TokenResource>, { userId }: Principal): boolean {
  const owner = ownerOf(resource);
  return owner === undefined || owner === userId;
}

/** Its owner, or who administers the workspace. */
export function checkMayDelete(resource: Stored<TokenResource>, principal: Principal): void {
  const isAdministrator = principal.role === 'owner' || principal.role === 'admin';
  if (isAdministrator || isOwn(resource, principal)) return;
  throw new AppError('Forbidden', 'this token belongs to another user');
}

/** Nobody has another one's key sign. Where there is no owner, it is that of an owner of the workspace. */
export function checkMayDeploy(resource: Stored<TokenResource>, principal: Principal): void {
  const owner = ownerOf(resource);
  if (owner === principal.userId || (owner === undefined && principal.role === 'owner')) return;
  const whose = owner === undefined ? 'an owner of the workspace' : 'another user';
  throw new AppError('Forbidden', `this token belongs to ${whose}, whose key signs its deployments`);
}
