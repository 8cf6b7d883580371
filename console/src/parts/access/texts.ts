/** English. */
export const texts = {
  roles: { owner: 'Owner', admin: 'Admin', developer: 'Developer', viewer: 'Viewer' },
  roleHints: {
    owner: 'Everything, and deletes the workspace.',
    admin: 'Everything of a developer, and manages members and invitations.',
    developer: 'Creates and changes networks, secrets, tokens and webhooks.',
    viewer: 'Sees networks and results. Changes nothing.',
  },
  role: 'Role',
  keyName: 'Name',
  keyExpiry: 'Expires after',
  keyExpiries: [
    [24, '1 day'],
    [168, '7 days'],
    [720, '30 days'],
    [2160, '90 days'],
    [8760, '1 year'],
    [0, 'Never'],
  ] as const,
};
