/** What a caller may do, and which role may do what. */

export const permissions = {
  'networks:read': 'See networks and their endpoints.',
  'networks:write': 'Create, change and delete networks.',
  'logs:read': 'Read the logs of networks, which may show what admin calls did.',
  'secrets:read': 'See secrets by name and type, without their data.',
  'secrets:write': 'Create and delete secrets, and read the data of your own.',
  'tokens:read': 'See tokens and their deployments.',
  'tokens:write': 'Deploy tokens and delete their records.',
  'transactions:read': 'See submitted transactions and their outcomes.',
  'transactions:write': 'Submit transactions.',
  'recordings:read': 'See and export recordings.',
  'recordings:write': 'Start, stop and replay recordings.',
  'webhooks:read': 'See webhooks with their URLs, and their deliveries.',
  'webhooks:write': 'Create, change, test and delete webhooks.',
  'account:read': 'See your own account, its workspaces and the available permissions.',
  'account:write': 'Create workspaces and accept invitations.',
  'workspaces:read': 'See the workspace.',
  'workspaces:write': 'Change the workspace.',
  'workspaces:delete': 'Delete the workspace.',
  'memberships:read': 'See the members.',
  'memberships:write': 'Change roles and remove members.',
  'invitations:read': 'See invitations.',
  'invitations:write': 'Invite people and revoke invitations.',
  'audit:read': 'See what callers did in the workspace.',
  'api-keys:read': 'See API keys, never their secrets.',
  'api-keys:write': 'Create and revoke API keys.',
} as const satisfies Record<string, string>;

export type Permission = keyof typeof permissions;

/** The permission of an operation that needs no credentials. */
export const publicAccess = '';

const readAll: Permission[] = [
  'networks:read',
  'secrets:read',
  'tokens:read',
  'transactions:read',
  'recordings:read',
  'account:read',
  'workspaces:read',
  'memberships:read',
];
const useAll: Permission[] = [
  ...readAll,
  'networks:write',
  'logs:read',
  'secrets:write',
  'tokens:write',
  'transactions:write',
  'recordings:write',
  'webhooks:read',
  'webhooks:write',
  'account:write',
  'api-keys:read',
  'api-keys:write',
];
const administer: Permission[] = [
  ...useAll,
  'workspaces:write',
  'memberships:write',
  'invitations:read',
  'invitations:write',
  'audit:read',
];

/** What each role may do; a key may be narrower, never wider. */
export const rolePermissions = {
  owner: [...administer, 'workspaces:delete'],
  admin: administer,
  developer: useAll,
  viewer: readAll,
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof rolePermissions;
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const satisfies readonly Role[];
