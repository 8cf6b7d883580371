import { randomBytes } from 'node:crypto';
import {
  idempotencyRecordType,
  invitationType,
  membershipType,
  networkType,
  userType,
  workspaceType,
} from '../../core/api/resources/resources.ts';
import type { KubeClient } from '../../core/kube/client/client.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { type AccountsApi, accountsApiOver, admin } from '../testing/accountsApi.ts';
import { eventually } from '../testing/eventually.ts';

/** Two replicas over one real kube-apiserver. */

const suffix = randomBytes(4).toString('hex');
const namespace = `accounts-${suffix}`;
const kubes = [createTestKube(), createTestKube()] as const;
let one: AccountsApi<KubeClient>;
let two: AccountsApi<KubeClient>;

beforeAll(async () => {
  const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await kubes[0].create(namespaceType, made);
  const start = (kube: KubeClient) => accountsApiOver(kube, { namespace });
  [one, two] = await Promise.all([start(kubes[0]), start(kubes[1])]);
  // kube-apiserver rejects kinds briefly after their CRDs are created, which the caches tolerate.
  const isServed = (list: () => Promise<unknown>) => eventually(() => list().catch(() => undefined), Boolean);
  await isServed(() => kubes[0].list(invitationType, { namespace }));
  await isServed(() => kubes[0].list(idempotencyRecordType, { namespace }));
});
afterAll(async () => {
  await Promise.all([one.api.close(), two.api.close()]);
  await Promise.all(kubes.map((kube) => kube.close()));
});

const email = () => `${randomBytes(6).toString('hex')}@example.com`;

test('both replicas start with the same administrator and workspace', async () => {
  for (const replica of [one, two]) {
    expect(await replica.get(admin, '/me')).toMatchObject({
      user: { id: 'admin' },
      workspace: { id: 'default' },
    });
  }
  expect((await kubes[0].list(workspaceType, { namespace })).items).toHaveLength(1);
});

test('a key created on one replica works on the other immediately; revoked, it works on neither', async () => {
  for (let round = 0; round < 20; round++) {
    const [maker, other] = round % 2 ? [one, two] : [two, one];
    const key = await maker.post(admin, '/workspaces/default/api-keys', { name: 'k', role: 'viewer' });
    expect((await other.ask(key.token, '/me')).status).toBe(200);
    const path = `/workspaces/default/api-keys/${key.id}`;
    expect((await maker.ask(admin, path, { method: 'DELETE' })).status).toBe(204);
    expect((await maker.ask(key.token, '/me')).status).toBe(401);
    const startMs = systemClock.nowMs();
    while ((await other.ask(key.token, '/me')).status !== 401) {
      if (systemClock.nowMs() - startMs > 5000)
        throw new Error('the key is still valid on the other replica');
    }
  }
});

test('a member removed on one replica is removed on the other, with every key', async () => {
  const dev = await one.join(email(), 'developer');
  const key = await two.post(dev.token, '/workspaces/default/api-keys', { name: 'k', role: 'viewer' });
  expect((await one.ask(key.token, '/me')).status).toBe(200);
  const path = `/workspaces/default/memberships/${dev.userId}`;
  expect((await one.ask(admin, path, { method: 'DELETE' })).status).toBe(204);
  expect((await one.ask(key.token, '/me')).status).toBe(401);
  const startMs = systemClock.nowMs();
  while ((await two.ask(key.token, '/me')).status !== 401) {
    if (systemClock.nowMs() - startMs > 5000) throw new Error('the key is still valid on the other replica');
  }
  expect((await two.ask(dev.token, '/v1alpha/networks')).status).toBe(404);
});

test('a role lowered on one replica is lower on the other', async () => {
  const dev = await one.join(email(), 'developer');
  const path = `/workspaces/default/memberships/${dev.userId}`;
  expect((await one.ask(admin, path, { method: 'PUT', body: { role: 'viewer' } })).status).toBe(200);
  const startMs = systemClock.nowMs();
  while ((await two.get(dev.token, '/me')).role !== 'viewer') {
    if (systemClock.nowMs() - startMs > 5000) throw new Error('the role is still the old one');
  }
});

test('a token creates one account, however often and on whichever replica it is accepted', async () => {
  const address = email();
  const invitation = { email: address, role: 'viewer' };
  const { token } = await one.post(admin, '/workspaces/default/invitations', invitation);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      (n % 2 ? one : two).ask(null, '/invitations/accept', { body: { token } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toContain(200);
  const users = await kubes[0].list(userType, { namespace, fieldSelector: `spec.email=${address}` });
  expect(users.items).toHaveLength(1);
});

test('one token admits one user, on any replica', async () => {
  const people = await Promise.all([one.join(email(), 'developer'), two.join(email(), 'developer')]);
  const { id } = await one.post(admin, '/workspaces', { name: 'race' });
  const invitation = { email: email(), role: 'viewer' };
  const { token } = await one.post(admin, `/workspaces/${id}/invitations`, invitation);
  const answers = await Promise.all(
    people.map((person, n) => (n ? one : two).ask(person.token, '/invitations/accept', { body: { token } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('if all owners leave concurrently on both replicas, one remains', async () => {
  const { id } = await one.post(admin, '/workspaces', { name: 'leaving' });
  const people = [];
  for (let n = 0; n < 5; n++) people.push(await one.join(email(), 'owner', { workspace: id }));
  const leave = (token: string, userId: string, n: number) =>
    (n % 2 ? one : two).ask(token, `/workspaces/${id}/memberships/${userId}`, { method: 'DELETE' });
  const leaving = [{ token: admin, userId: 'admin' }, ...people];
  const answers = await Promise.all(leaving.map(({ token, userId }, n) => leave(token, userId, n)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 204, 204, 204, 409]);
  const workspace = await kubes[0].get(workspaceType, { namespace, name: id });
  const left = await kubes[0].list(membershipType, { namespace, fieldSelector: `spec.workspace=${id}` });
  expect(left.items.map(({ spec }) => spec.user)).toEqual(workspace?.spec.owners);
});

test('with an Idempotency-Key, 20 requests over both replicas create one network and get one answer', async () => {
  // The namespace of the default workspace is shared by all test files; only the name is specific to this one.
  const metadata = { name: 'slipway-default' };
  await kubes[0]
    .create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata })
    .catch(() => undefined);
  const spec = { chain: { type: 'Base', base: {} } };
  const name = `once-${suffix}`;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? one : two).ask(admin, '/v1alpha/networks', {
        body: { name, spec },
        headers: { 'Idempotency-Key': `key-${suffix}` },
      }),
    ),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  const other = await one.ask(admin, '/v1alpha/networks', {
    body: { name: `other-${suffix}`, spec },
    headers: { 'Idempotency-Key': `key-${suffix}` },
  });
  expect(other.status).toBe(409);
  await kubes[0].delete(networkType, { namespace: 'slipway-default', name });
});
