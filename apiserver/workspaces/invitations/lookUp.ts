import { AppError } from '../../../core/lib/errors.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { invitationState } from '../mapping.ts';
import { findByToken, unknownToken } from './claim.ts';

/** What a pending invitation offers, to whoever has its token. */
export function lookUpInvitation(deps: WorkspaceDeps): Handler<'lookUpInvitation'> {
  const { directory, clock } = deps;
  return async ({ body }) => {
    const { invitation, isMailed } = await findByToken(deps, body.token);
    const { workspace: workspaceID, invitedBy, role, email, expiresAt } = invitation.spec;
    const workspace = await directory.workspaces.find(workspaceID);
    if (!workspace) throw unknownToken();
    const state = invitationState(invitation, clock.nowMs());
    if (state !== 'Pending')
      throw new AppError('Conflict', `the invitation is ${state.toLowerCase()}: ask for a new one`);
    const inviter = await directory.users.find(invitedBy);
    const { name, email: address } = inviter?.spec ?? {};
    return {
      body: {
        kind: 'InvitationOffer',
        version: 'v1alpha1',
        workspaceID,
        workspaceName: workspace.spec.name,
        role,
        email,
        inviter: name ?? address ?? invitedBy,
        emailVerified: isMailed,
        expiresAt,
      } as const,
    };
  };
}
