/** English. */
export const texts = {
  title: 'Join a workspace',
  titleOf: (workspace: string) => `Join the workspace ${workspace}`,
  invites: (inviter: string, role: string) => `${inviter} invites you to this workspace as ${role}.`,
  address: 'Invited address',
  until: 'Valid until',
  verified: 'This link was sent to the address: accepting it proves that the address is yours.',
  unverified:
    'This link was not sent by mail. The address is shown as unverified until you prove that it is yours.',
  joinAs: (who: string) => `Join as ${who}`,
  create: 'Create an account',
  createHint: 'You get your own account, and then choose how to sign in to it.',
  haveAccount: 'I have an account here',
  other: 'Sign out to join with another account',
  noToken: 'The link is not complete: open it exactly as you received it, including everything after the #.',
  failedTitle: 'This invitation cannot be accepted',
  toConsole: 'Go to the console',
};
