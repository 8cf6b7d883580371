import { labels } from '../core/api/names.ts';
import { AppError } from '../core/lib/errors.ts';
import type { AdmissionRequest } from './review.ts';

/** Members of this group bypass all authorization: they could remove the webhook itself. */
const unrestrictedGroup = 'system:masters';

/**
 * Throws Forbidden when a request sets, changes or removes the owner of an object and does not come from a service
 * account of Slipway's own namespace. `isProven` says whether the object's data was sealed for the owner that it names:
 * then Slipway itself has set that owner before, and a backup is being restored.
 */
export function checkOwnership(
  request: AdmissionRequest,
  { serviceNamespace, isProven }: { serviceNamespace: string; isProven: () => boolean },
): void {
  if (ownerOf(request.object) === ownerOf(request.oldObject)) return;
  if (isTrusted(request.userInfo, serviceNamespace) || isProven()) return;
  const path = `metadata.labels["${labels.owner}"]`;
  const message =
    'says who owns this object: only Slipway sets, changes or removes it; leave the label as it is, and leave it out of new objects';
  throw new AppError('Forbidden', `the label ${labels.owner} ${message}`, { details: [{ path, message }] });
}

function ownerOf(object: AdmissionRequest['object']): string | undefined {
  return object?.metadata?.labels?.[labels.owner];
}

function isTrusted({ username, groups }: AdmissionRequest['userInfo'], serviceNamespace: string): boolean {
  return (
    username.startsWith(`system:serviceaccount:${serviceNamespace}:`) || groups.includes(unrestrictedGroup)
  );
}
