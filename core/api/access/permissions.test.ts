import { type Permission, permissions, rolePermissions, roles } from './permissions.ts';

const has = (role: (typeof roles)[number], permission: Permission) => {
  const granted: readonly Permission[] = rolePermissions[role];
  return granted.includes(permission);
};

test('the owner may do everything', () => {
  expect([...rolePermissions.owner].sort()).toEqual(Object.keys(permissions).sort());
});

test('each role may do everything that the next one may', () => {
  for (const [index, role] of roles.entries()) {
    const next = roles[index + 1];
    if (next === undefined) continue;
    expect(rolePermissions[role]).toEqual(expect.arrayContaining([...rolePermissions[next]]));
  }
});

test('a viewer changes nothing', () => {
  expect(rolePermissions.viewer.filter((permission) => !permission.endsWith(':read'))).toEqual([]);
});

test.each([
  ['developers build', 'developer', 'networks:write', true],
  ['developers do not invite', 'developer', 'invitations:write', false],
  ['admins invite', 'admin', 'invitations:write', true],
  ['admins do not delete the workspace', 'admin', 'workspaces:delete', false],
  ['admins see the audit list', 'admin', 'audit:read', true],
  ['developers do not see the audit list', 'developer', 'audit:read', false],
  ['viewers see networks', 'viewer', 'networks:read', true],
  ['viewers do not see API keys', 'viewer', 'api-keys:read', false],
] as const)('%s', (_reason, role, permission, isGranted) => {
  expect(has(role, permission)).toBe(isGranted);
});
