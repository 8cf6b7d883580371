import type { KeyObject } from 'node:crypto';
import { createDeliveries, type DeliveriesOptions } from '../../mail/deliveries.ts';
import { invitationMail } from '../../mail/invitationMail.ts';
import type { Directory } from '../directory/directory.ts';
import type { SignInSettings } from '../identities/signInDeps.ts';
import { mailedToken } from './mailedToken.ts';

interface Options extends Omit<DeliveriesOptions, 'mailer' | 'compose'> {
  pepper: KeyObject;
  publicUrl: string;
  signIn: Pick<SignInSettings, 'mailer'>;
  directory: Directory;
}

/** Mails invitations in the background; undefined without a mail server. */
export function createInvitationDeliveries(options: Options) {
  const { directory, pepper, publicUrl, signIn } = options;
  const { mailer } = signIn;
  if (!mailer) return undefined;
  return createDeliveries({
    ...options,
    mailer,
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
