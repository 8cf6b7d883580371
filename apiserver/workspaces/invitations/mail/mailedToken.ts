import type { KeyObject } from 'node:crypto';
import { formatToken, hashOfSecret, isSameHash } from '../../../../core/accounts/credentials.ts';
import type { InvitationResource } from '../../../../core/api/resources/accountResources.ts';

/**
 * The token in the mail is another one than the inviter gets: only who reads the mail has it, so that accepting with it
 * proves the address. It is derived, so that it can be mailed again after a crash and is stored nowhere.
 */
export function mailedToken(pepper: KeyObject, { metadata, spec }: InvitationResource): string {
  const text = `${metadata.name}/${spec.tokenHash}/${spec.email}`;
  const secret = hashOfSecret(pepper, 'mailedInvitation', text).toString('base64url');
  return formatToken(metadata.name, secret);
}

export function isMailedSecret(pepper: KeyObject, invitation: InvitationResource, secret: string): boolean {
  if (!invitation.spec.isMailed) return false;
  const token = formatToken(invitation.metadata.name, secret);
  return isSameHash(Buffer.from(token), Buffer.from(mailedToken(pepper, invitation)));
}
