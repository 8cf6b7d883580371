import { isId } from '../../../core/accounts/ids.ts';
import type { InvitationDelivery, InvitationResource } from '../../../core/api/resources/accountResources.ts';
import { invitationType } from '../../../core/api/resources/resources.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { notFound } from '../../store/find.ts';
import { updateLive } from '../../store/updateLive.ts';
import type { WorkspaceApiDeps } from '../deps.ts';
import { invitationState, toInvitation } from '../mapping.ts';

const maxResends = 5;
const pauseMs = 60_000;

/** Mails an invitation again, with the same link. What is on its way already is left to it. */
export function resendInvitation(deps: WorkspaceApiDeps): Handler<'resendInvitation'> {
  const { kube, namespace, clock } = deps;
  return async ({ params: { id, invitationId: name } }) => {
    const absent = () => notFound('Invitation');
    if (!isId('invitation', name)) throw absent();
    const target = { type: invitationType, namespace, name, subresource: 'status', absent } as const;
    const nowMs = clock.nowMs();
    const live = await updateLive(kube, target, (current) => {
      if (current.spec.workspace !== id) throw absent();
      checkPending(deps, current);
      const { state = 'Pending', resends = 0, updatedAt } = current.status?.delivery ?? {};
      if (state === 'Pending' || state === 'Sending') return current;
      checkLimit(resends, (parseRfc3339(updatedAt) ?? 0) + pauseMs - nowMs);
      const delivery: InvitationDelivery = {
        state: 'Pending',
        attempts: 0,
        resends: resends + 1,
        updatedAt: toRfc3339(nowMs),
      };
      return { ...current, status: { ...current.status, delivery } };
    });
    return { body: toInvitation(live, nowMs), objects: [`mail of invitation ${name} to workspace ${id}`] };
  };
}

function checkPending({ clock, hasMail }: WorkspaceApiDeps, invitation: InvitationResource): void {
  const state = invitationState(invitation, clock.nowMs());
  if (state !== 'Pending')
    throw new AppError('Conflict', `the invitation is ${state.toLowerCase()}: create a new one`);
  if (hasMail && invitation.spec.isMailed) return;
  throw new AppError(
    'Conflict',
    hasMail
      ? 'the invitation is older than the mail server of this installation: create a new one'
      : 'this installation has no mail server: hand over the link instead',
  );
}

/** Mails are sent to people who have not asked for them. */
function checkLimit(resends: number, waitMs: number): void {
  if (resends >= maxResends)
    throw new AppError(
      'Conflict',
      `the invitation was mailed again ${maxResends} times, which is the maximum: hand over the link, or create a new one`,
    );
  if (waitMs <= 0) return;
  throw new AppError('TooManyRequests', 'the invitation was mailed less than a minute ago: wait', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
