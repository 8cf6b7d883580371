import type { InvitationResource } from '../../../core/api/resources/accountResources.ts';
import { invitationType } from '../../../core/api/resources/resources.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { invitationState, isBeingAccepted } from '../mapping.ts';
import { atMost, type Quota } from '../quota.ts';

const maxPending = 200;
/** Those that have ended count as well: mail goes to people who have not asked for it. */
const maxKept = 1000;
/** An invitation that has ended is deleted when it was created so long ago. */
export const keptDays = 30;

/** Whether nobody can accept an invitation any more. One that is being accepted has not ended. */
export function hasEnded(invitation: InvitationResource, nowMs: number): boolean {
  return !isBeingAccepted(invitation, nowMs) && invitationState(invitation, nowMs) !== 'Pending';
}

/** Limits the invitations of a workspace. */
export function invitationQuota(
  { clock }: Pick<WorkspaceDeps, 'clock'>,
  workspaceId: string,
): Quota<InvitationResource> {
  const refusePending = atMost(maxPending, (count) =>
    full(`${count} invitations are pending, the maximum is ${maxPending}: delete one first`),
  );
  const refuseKept = atMost(maxKept, (count) =>
    full(
      `the workspace has ${count} invitations, the maximum is ${maxKept}: those that have ended are deleted ${keptDays} days after they were created`,
    ),
  );
  return {
    type: invitationType,
    selection: { 'spec.workspace': workspaceId },
    refuse(others) {
      const nowMs = clock.nowMs();
      const pending = others.filter((invitation) => invitationState(invitation, nowMs) === 'Pending');
      return refusePending(pending) ?? refuseKept(others);
    },
  };
}

function full(message: string): AppError {
  return new AppError('BadRequest', message);
}
