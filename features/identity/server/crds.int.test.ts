import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import { type AccountCrds, openAccountCrds } from '../../../core/api/testing/accountCrds.ts';
import { anIdentity, aPasskey, aPassword, aTicket } from '../testing/builders.ts';

const wallet = { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' };

let crds: AccountCrds;
beforeAll(async () => {
  crds = await openAccountCrds(`identity-${process.pid}`);
});
afterAll(() => crds.close());
const create = (object: KubeObject, query?: string) => crds.create(object, query);

test.each<[string, KubeObject]>([
  ['identity at a provider', anIdentity()],
  ['wallet', anIdentity({ name: 'wallet-1', spec: { wallet } })],
  ['passkey', aPasskey()],
  ['password', aPassword()],
  ['sign-in link', aTicket()],
  ['answered challenge', aTicket({ name: 'spent1', spec: { purpose: 'spent' } })],
])('a valid %s is accepted', async (_kind, object) => {
  expect(await create(object)).toEqual([201, undefined]);
});

test.each<[string, KubeObject, string]>([
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
  ['the user of an identity', anIdentity({ name: 'fixed' }), { user: 'eve' }],
  ['the public key of a passkey', aPasskey({ name: 'fixed' }), { publicKey: 'AAAA' }],
  ['the user of a passkey', aPasskey({ name: 'fixed' }), { user: 'eve' }],
  ['the user of a link', aTicket({ name: 'fixed' }), { user: 'eve' }],
])('%s is immutable', async (_reason, object, spec) => {
  await create(object);
  expect(await crds.change(object, spec)).toEqual([422, expect.stringContaining('is immutable')]);
});
