import type { InvitationResource } from '../../../core/api/resources/accountResources.ts';
import { invitationType } from '../../../core/api/resources/resources.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { listLive } from '../list.ts';
import { invitationState, isBeingAccepted } from '../mapping.ts';

const maxPending = 200;
/** Those that have ended count as well: mail goes to people who have not asked for it. */
const maxKept = 1000;
/** An invitation that has ended is deleted when it was created so long ago. */
export const keptDays = 30;

/** Whether nobody can accept an invitation any more. One that is being accepted has not ended. */
export function hasEnded(invitation: InvitationResource, nowMs: number): boolean {
  return !isBeingAccepted(invitation, nowMs) && invitationState(invitation, nowMs) !== 'Pending';
}

/**
 * Throws BadRequest if one more invitation would be too much for a workspace. `id`: the invitation itself, which may exist
 * already.
 */
export async function checkBudget(deps: WorkspaceDeps, workspaceId: string, id: string): Promise<void> {
  const all = await listLive(deps, invitationType, { 'spec.workspace': workspaceId });
  const others = all.filter(({ metadata }) => metadata.name !== id);
  const nowMs = deps.clock.nowMs();
  const pending = others.filter((invitation) => invitationState(invitation, nowMs) === 'Pending').length;
  if (pending >= maxPending)
    throw full(`${pending} invitations are pending, the maximum is ${maxPending}: delete one first`);
  if (others.length >= maxKept)
    throw full(
      `the workspace has ${others.length} invitations, the maximum is ${maxKept}: those that have ended are deleted ${keptDays} days after they were created`,
    );
}

function full(message: string): AppError {
  return new AppError('BadRequest', message);
}
