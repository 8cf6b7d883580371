import { createSecretKey, randomBytes } from 'node:crypto';
import { permissions } from '../api/access/permissions.ts';
import { aMembership, aUser, aWorkspace } from '../api/testing/accountBuilders.ts';
import { asStored } from '../api/testing/stored.ts';
import { formatToken, hashOfSecret, isSameHash, newSecret, parseToken } from './credentials.ts';
import { invitedUserIdOf, isId, namespaceOf, newId, personalWorkspaceIdOf } from './ids.ts';
import { newMembership, newPersonalWorkspace, newUser, personalWorkspaceOf } from './objects.ts';
import { isAtLeast, lesserRole, permissionsOf, roleIn } from './roles.ts';

const random = (_purpose: string, length: number) => randomBytes(length);
const pepper = createSecretKey(Buffer.from('pepper'));

describe('ids', () => {
  test.each(['workspace', 'invitation', 'apiKey'] as const)(
    'a new %s id is a valid id of its own kind only',
    (kind) => {
      const id = newId(kind, random);
      expect(isId(kind, id)).toBe(true);
      expect(isId(kind === 'apiKey' ? 'workspace' : 'apiKey', id)).toBe(false);
      expect(newId(kind, random)).not.toBe(id);
    },
  );

  test('an invitation has one account, whichever replica accepts it', () => {
    const [one, two] = [newId('invitation', random), newId('invitation', random)];
    expect(invitedUserIdOf(one)).toBe(invitedUserIdOf(one));
    expect(invitedUserIdOf(one)).not.toBe(invitedUserIdOf(two));
    expect(invitedUserIdOf(one)).toMatch(/^u[0-9a-f]{24}$/);
  });

  test('a workspace has its own namespace; the default workspace uses the namespace of the installation', () => {
    const defaultWorkspace = { id: 'default', namespace: 'somewhere' };
    expect(namespaceOf('default', defaultWorkspace)).toBe('somewhere');
    const id = newId('workspace', random);
    expect(namespaceOf(id, defaultWorkspace)).toBe(`slipway-${id}`);
    expect(namespaceOf(personalWorkspaceIdOf('u'), defaultWorkspace).length).toBeLessThanOrEqual(63);
  });
});

describe('credentials', () => {
  test('a secret has 256 bits, and its token parses into id and secret', () => {
    const secret = newSecret('apiKey', random);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(parseToken(formatToken('k1', secret))).toEqual({ id: 'k1', secret });
    expect(parseToken('no-dot')).toBeUndefined();
    expect(parseToken('.secret')).toBeUndefined();
  });

  test('the token of an invitation is not valid as an API key', () => {
    const [key, invitation] = (['apiKey', 'invitation'] as const).map((kind) =>
      hashOfSecret(pepper, kind, 's'),
    );
    expect(isSameHash(key!, invitation!)).toBe(false);
    expect(isSameHash(key!, hashOfSecret(pepper, 'apiKey', 's'))).toBe(true);
    expect(isSameHash(key!, Buffer.alloc(0))).toBe(false);
  });
});

describe('roles', () => {
  test.each([
    ['owner', 'viewer', 'viewer'],
    ['viewer', 'owner', 'viewer'],
    ['admin', 'developer', 'developer'],
    ['admin', 'admin', 'admin'],
  ] as const)('the lesser of %s and %s is %s', (one, other, lesser) => {
    expect(lesserRole(one, other)).toBe(lesser);
    expect(isAtLeast(one, lesser) && isAtLeast(other, lesser)).toBe(true);
  });

  test('a user who is not listed as an owner of the workspace is at most admin', () => {
    const workspace = aWorkspace({ spec: { owners: ['ann'] } });
    expect(roleIn(workspace, aMembership())).toBe('owner');
    expect(roleIn(workspace, aMembership({ spec: { user: 'ben' } }))).toBe('admin');
    expect(roleIn(workspace, aMembership({ spec: { user: 'ben', role: 'viewer' } }))).toBe('viewer');
  });

  test('permissions are narrowed, never widened', () => {
    expect([...permissionsOf('viewer', Object.keys(permissions))]).toEqual([...permissionsOf('viewer')]);
    expect([...permissionsOf('owner', ['networks:read', 'made:up'])]).toEqual(['networks:read']);
    expect(permissionsOf('owner', [])).toEqual(new Set());
  });
});

test('a membership is owned by its workspace and labelled with workspace and user', () => {
  const workspace = asStored(aWorkspace({ metadata: { uid: 'uid-1' } }));
  expect(newMembership(workspace, 'ben', 'viewer').metadata).toEqual({
    name: 'team.ben',
    namespace: 'slipway-system',
    labels: { 'slipway.dev/workspace': 'team', 'slipway.dev/user': 'ben' },
    ownerReferences: [{ apiVersion: 'slipway.dev/v1alpha1', kind: 'Workspace', name: 'team', uid: 'uid-1' }],
  });
});

test('a personal workspace is the same whoever creates it, and its user owns it', () => {
  const user = asStored(newUser({ namespace: 'slipway-system', id: 'u1' }, { email: 'a@example.com' }));
  const { personalWorkspace: _, ...spec } = user.spec;
  expect(newPersonalWorkspace({ ...user, spec })).toEqual(newPersonalWorkspace(user));
  expect(newPersonalWorkspace(user).spec).toEqual({ name: 'personal', owners: ['u1'], personalFor: 'u1' });
  expect(personalWorkspaceOf(aUser({ spec: { personalWorkspace: 'default' } }))).toBe('default');
});
