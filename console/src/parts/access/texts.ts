/** English. */
export const texts = {
  roles: { owner: 'Owner', admin: 'Admin', developer: 'Developer', viewer: 'Viewer' },
  roleHints: {
    owner: 'Can do everything, including deleting the workspace.',
    admin: 'Can do everything that a developer can, and manages members and invitations.',
    developer: 'Creates and changes networks, secrets, tokens and webhooks.',
    viewer: 'Can see networks and results, but not change anything.',
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
