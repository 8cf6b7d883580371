import { aMembership, anApiKey, anInvitation, aUser, aWorkspace } from '../testing/accountBuilders.ts';
import { type AccountCrds, openAccountCrds } from '../testing/accountCrds.ts';
import type { KubeObject } from './kubeObject.ts';

let crds: AccountCrds;
beforeAll(async () => {
  crds = await openAccountCrds(`accounts-${process.pid}`);
});
afterAll(() => crds.close());
const create = (object: KubeObject, query?: string) => crds.create(object, query);

test.each<[string, KubeObject]>([
  ['workspace', aWorkspace()],
  ['user', aUser()],
  ['user without an address', aUser({ name: 'machine', spec: {} })],
  ['membership, named after both', aMembership()],
  ['invitation', anInvitation()],
  ['API key', anApiKey()],
  ['API key with fewer permissions', anApiKey({ name: 'key2', spec: { permissions: ['networks:read'] } })],
  ['user with a proven address', aUser({ name: 'proven', spec: { email: 'a@b.c', emailProof: 'mail' } })],
])('a valid %s is accepted', async (_kind, object) => {
  expect(await create(object)).toEqual([201, undefined]);
});

test.each<[string, KubeObject, string]>([
  ['a workspace without an owner', aWorkspace({ name: 'a', spec: { owners: [] } }), 'spec.owners'],
  [
    'a workspace with a name that is too long for a namespace',
    aWorkspace({ name: 'a'.repeat(56) }),
    'metadata.name',
  ],
  ['an unknown role', aMembership({ spec: { user: 'x', role: 'king' as never } }), 'spec.role'],
  ['a membership without a user', { ...aMembership(), metadata: { name: 'team' } }, 'metadata.name'],
  ['a key with a plain secret', anApiKey({ name: 'k', spec: { secretHash: 'hunter2' } }), 'spec.secretHash'],
  [
    'a key with a field for a plain secret',
    { ...anApiKey({ name: 'k' }), spec: { ...anApiKey().spec, secret: 'x' } } as KubeObject,
    'unknown field "spec.secret"',
  ],
  [
    'an invitation without an expiry time',
    anInvitation({ name: 'i', spec: { expiresAt: 'never' } }),
    'spec.expiresAt',
  ],
])('%s is refused', async (_reason, object, message) => {
  const [status, said] = await create(object, '&dryRun=All');
  expect([400, 422]).toContain(status);
  expect(said).toContain(message);
});

test.each<[string, KubeObject, object]>([
  ['the user of a membership', aMembership({ spec: { workspace: 'fixed' } }), { user: 'ben' }],
  ['the role of a key', anApiKey({ name: 'fixed' }), { role: 'viewer' }],
  ['the address of an invitation', anInvitation({ name: 'fixed' }), { email: 'eve@example.com' }],
])('%s is immutable', async (_reason, object, spec) => {
  await create(object);
  expect(await crds.change(object, spec)).toEqual([422, expect.stringContaining('is immutable')]);
});

test('the role of a membership may change', async () => {
  const object = aMembership({ spec: { workspace: 'moving' } });
  await create(object);
  const [status] = await crds.change(object, { role: 'viewer' });
  expect(status).toBe(200);
});
