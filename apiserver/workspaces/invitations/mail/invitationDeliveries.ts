import type { KeyObject } from 'node:crypto';
import type { Directory } from '../../directory/directory.ts';
import { createDeliveries, type DeliveriesOptions } from './deliveries.ts';
import { invitationMail } from './invitationMail.ts';
import { mailedToken } from './mailedToken.ts';

interface Options extends Omit<DeliveriesOptions, 'compose'> {
  pepper: KeyObject;
  publicUrl: string;
  directory: Directory;
}

/** Mails invitations in the background. */
export function createInvitationDeliveries(options: Options) {
  const { directory, pepper, publicUrl } = options;
  return createDeliveries({
    ...options,
    async compose(invitation) {
      const { email, role, invitedBy, expiresAt } = invitation.spec;
      const workspace = await directory.workspaces.find(invitation.spec.workspace);
      if (!workspace) return undefined;
      const inviter = await directory.users.find(invitedBy);
      return invitationMail({
        email,
        role,
        expiresAt,
        workspaceName: workspace.spec.name,
        inviter: inviter?.spec.name ?? inviter?.spec.email ?? invitedBy,
        link: `${publicUrl}/invitations/accept#${mailedToken(pepper, invitation)}`,
      });
    },
  });
}
