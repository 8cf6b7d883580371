import { testKubeconfig } from '../../../hack/testenv/testKube.ts';
import { apiVersion } from '../names.ts';
import {
  aMembership,
  anApiKey,
  anIdentity,
  anInvitation,
  aPasskey,
  aPassword,
  aTicket,
  aUser,
  aWorkspace,
} from '../testing/accountBuilders.ts';
import { createRawKube } from '../testing/rawKube.ts';
import type { KubeObject } from './kubeObject.ts';

const kube = createRawKube(testKubeconfig());
const wallet = { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' };
const namespace = `accounts-${process.pid}`;

beforeAll(async () => {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await kube.send('POST', '/api/v1/namespaces', { body });
});
afterAll(() => kube.close());

function pathOf({ kind, metadata }: KubeObject, isOne = false): string {
  const collection = `/apis/${apiVersion}/namespaces/${namespace}/${kind.toLowerCase().replace(/ity$/, 'itie')}s`;
  return isOne ? `${collection}/${metadata.name}` : collection;
}

async function create(object: KubeObject, query = '') {
  const body = { ...object, metadata: { name: object.metadata.name } };
  const answer = await kube.send('POST', `${pathOf(object)}?fieldValidation=Strict${query}`, { body });
  return [answer.status, answer.body.message];
}

test.each<[string, KubeObject]>([
  ['workspace', aWorkspace()],
  ['user', aUser()],
  ['user without an address', aUser({ name: 'machine', spec: {} })],
  ['membership, named after both', aMembership()],
  ['invitation', anInvitation()],
  ['API key', anApiKey()],
  ['API key with fewer permissions', anApiKey({ name: 'key2', spec: { permissions: ['networks:read'] } })],
  ['identity at a provider', anIdentity()],
  ['wallet', anIdentity({ name: 'wallet-1', spec: { wallet } })],
  ['user with a proven address', aUser({ name: 'proven', spec: { email: 'a@b.c', emailProof: 'mail' } })],
  ['passkey', aPasskey()],
  ['password', aPassword()],
  ['sign-in link', aTicket()],
  ['answered challenge', aTicket({ name: 'spent1', spec: { purpose: 'spent' } })],
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
  [
    'an identity of two kinds',
    anIdentity({ name: 'x', spec: { oidc: { issuer: 'https://id.example', subject: 's' }, wallet } }),
    'set either oidc or wallet',
  ],
  ['a plain password', aPassword({ name: 'p', spec: { hash: 'correct horse' } }), 'spec.hash'],
  ['a link with a plain secret', aTicket({ name: 't', spec: { secretHash: 'hunter2' } }), 'spec.secretHash'],
])('%s is refused', async (_reason, object, message) => {
  const [status, said] = await create(object, '&dryRun=All');
  expect([400, 422]).toContain(status);
  expect(said).toContain(message);
});

test.each<[string, KubeObject, object]>([
  ['the user of a membership', aMembership({ spec: { workspace: 'fixed' } }), { user: 'ben' }],
  ['the role of a key', anApiKey({ name: 'fixed' }), { role: 'viewer' }],
  ['the address of an invitation', anInvitation({ name: 'fixed' }), { email: 'eve@example.com' }],
  ['the user of an identity', anIdentity({ name: 'fixed' }), { user: 'eve' }],
  ['the public key of a passkey', aPasskey({ name: 'fixed' }), { publicKey: 'AAAA' }],
  ['the user of a passkey', aPasskey({ name: 'fixed' }), { user: 'eve' }],
  ['the user of a link', aTicket({ name: 'fixed' }), { user: 'eve' }],
])('%s is immutable', async (_reason, object, spec) => {
  await create(object);
  const answer = await kube.send('PATCH', pathOf(object, true), { body: { spec } });
  expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('is immutable')]);
});

test('the role of a membership may change', async () => {
  const object = aMembership({ spec: { workspace: 'moving' } });
  await create(object);
  const answer = await kube.send('PATCH', pathOf(object, true), { body: { spec: { role: 'viewer' } } });
  expect(answer.status).toBe(200);
});
