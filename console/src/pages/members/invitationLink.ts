/**
 * Where an invitation is accepted. The token is behind "#": browsers send that part to nobody, so it is in no log of a
 * server or a proxy.
 */
export function invitationLink(origin: string, token: string): string {
  return `${origin}/invitations/accept#${token}`;
}
