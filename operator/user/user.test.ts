import { personalWorkspaceIdOf } from '../../core/accounts/ids.ts';
import { addressOfPrivateKey } from '../../core/accounts/keys.ts';
import { locationOf } from '../../core/accounts/openSecret.ts';
import { isSealed } from '../../core/accounts/seal.ts';
import { membershipType, secretType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { aMembership, aUser, aWorkspace } from '../../core/api/testing/accountBuilders.ts';
import { aSecret } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { type AccountsOperator, sealer, startAccountsOperator } from '../workspace/testing/world.ts';
import { createUserReconcile } from './reconcile.ts';

const limit = { timeoutMs: 120_000 };
const personal = personalWorkspaceIdOf('ann');
const place = { namespace: `slipway-${personal}`, name: 'default-key' };
let kube: FakeKube;
let operator: AccountsOperator;
beforeEach(async () => {
  kube = createFakeKube({ isCollectingGarbage: true });
  operator = await startAccountsOperator(kube);
});
afterEach(() => operator.stop());

const reach = async (
  reason: string,
  isFit: (address: string | undefined) => boolean = () => true,
  name = 'ann',
) => {
  const found = await operator.caches.users.waitFor(
    ({ metadata, status }) =>
      metadata.name === name && status?.conditions?.[0]?.reason === reason && isFit(status?.address),
    limit,
  );
  if (!found) throw new Error(`${name} did not become ${reason}`);
  return found;
};
const keyIn = async (where = place) => {
  const secret = await kube.get(secretType, where);
  return secret && sealer.unseal(secret.spec.data, locationOf(secret.metadata));
};

test('a new user gets a personal workspace with a sealed key of their own', async () => {
  await kube.create(userType, aUser());
  const { status } = await reach('Ready');
  const workspace = await kube.get(workspaceType, { namespace: 'slipway-system', name: personal });
  expect(workspace?.spec).toEqual({ name: 'personal', owners: ['ann'], personalFor: 'ann' });
  const secret = await kube.get(secretType, place);
  expect(secret?.metadata.labels).toEqual({ 'slipway.dev/owner': 'ann', 'slipway.dev/workspace': personal });
  expect([secret?.spec.type, isSealed(secret?.spec.data ?? '')]).toEqual(['private-key', true]);
  const key = await keyIn();
  expect(key).toHaveLength(32);
  expect(status).toMatchObject({ defaultKeyGenerated: true, address: addressOfPrivateKey(key!) });
  expect(JSON.stringify(await kube.list(userType))).not.toContain(key!.toString('base64'));
  const member = await operator.caches.memberships.waitFor(({ spec }) => spec.workspace === personal, limit);
  expect(member?.spec).toMatchObject({ user: 'ann', role: 'owner' });
});

test('the key is generated once: other operators keep it, and a user may replace it', async () => {
  await kube.create(userType, aUser());
  const { status } = await reach('Ready');
  await operator.stop();
  operator = await startAccountsOperator(kube);
  await reach('Ready');
  expect(addressOfPrivateKey((await keyIn())!)).toBe(status?.address);

  await kube.delete(secretType, place);
  const without = await reach('NoDefaultKey');
  expect(without.status?.address).toBeUndefined();
  expect(await kube.get(secretType, place)).toBeUndefined();

  const own = Buffer.alloc(32, 9);
  const metadata = { uid: 'own', labels: { 'slipway.dev/owner': 'ann' } };
  const spec = { data: sealer.seal(own, { ...place, owner: 'ann' }) };
  await kube.create(secretType, aSecret({ ...place, metadata, spec }));
  await reach('Ready', (address) => address === addressOfPrivateKey(own));
});

test('a deleted key is generated again after a minute, in which the user may replace it', async () => {
  await operator.stop();
  operator = await startAccountsOperator(kube, { hasUsers: false });
  const clock = createManualClock();
  const reconcile = createUserReconcile({ ...operator.deps, clock });
  await kube.create(userType, aUser());
  await operator.caches.users.waitFor(({ metadata }) => metadata.name === 'ann', limit);
  await reconcile('ann');
  await operator.caches.workspaces.waitFor(
    ({ metadata, status }) => metadata.name === personal && status?.conditions?.[0]?.status === 'True',
    limit,
  );
  expect(await reconcile('ann')).toEqual({ state: 'Ready' });
  const first = addressOfPrivateKey((await keyIn())!);
  await operator.caches.users.waitFor(({ status }) => status?.address === first, limit);

  const { promise: isGone, resolve } = Promise.withResolvers<void>();
  operator.secrets.onChange(({ type }) => type === 'deleted' && resolve());
  await kube.delete(secretType, place);
  await isGone;
  expect(await reconcile('ann')).toEqual({ state: 'NoDefaultKey', requeueAfterMs: 60_000 });
  clock.advance(59_000);
  expect(await reconcile('ann')).toEqual({ state: 'NoDefaultKey', requeueAfterMs: 1_000 });
  expect(await keyIn()).toBeUndefined();
  clock.advance(1_000);
  expect(await reconcile('ann')).toEqual({ state: 'Ready' });
  const second = addressOfPrivateKey((await keyIn())!);
  expect(second).not.toBe(first);
  await operator.caches.users.waitFor(({ status }) => status?.address === second, limit);
});

test('an existing secret with that name is never overwritten, and is not used if somebody else owns it', async () => {
  const data = sealer.seal(Buffer.alloc(32, 3), { ...place, owner: '' });
  await kube.create(secretType, aSecret({ ...place, metadata: { labels: {} }, spec: { data } }));
  await kube.create(userType, aUser());
  const { status } = await reach('NoDefaultKey');
  expect(status?.address).toBeUndefined();
  expect((await kube.get(secretType, place))?.spec.data).toBe(data);
});

test("the administrator's key is in the default workspace", async () => {
  const owners = ['admin'];
  await kube.create(workspaceType, aWorkspace({ name: 'default', spec: { owners } }));
  await kube.create(userType, aUser({ name: 'admin', spec: { personalWorkspace: 'default' } }));
  await reach('Ready', undefined, 'admin');
  expect(await keyIn({ namespace: 'slipway-default', name: 'default-key' })).toHaveLength(32);
});

test('naming the workspace of somebody else does not create a key in it', async () => {
  await kube.create(workspaceType, aWorkspace());
  await kube.create(userType, aUser({ name: 'eve', spec: { personalWorkspace: 'team' } }));
  await reach('NoWorkspace', undefined, 'eve');
  await kube.create(userType, aUser({ name: 'mallory', spec: { personalWorkspace: 'default' } }));
  await reach('NoWorkspace', undefined, 'mallory');
  expect((await kube.list(secretType)).items).toEqual([]);
});

test('deleting an account also deletes its memberships and its personal workspace', async () => {
  await kube.create(userType, aUser());
  await kube.create(userType, aUser({ name: 'ben' }));
  await kube.create(workspaceType, aWorkspace({ spec: { owners: ['ben'] } }));
  await reach('Ready');
  await reach('Ready', undefined, 'ben');
  await kube.create(membershipType, aMembership({ spec: { role: 'viewer' } }));
  const left = new Promise<void>((resolve) => {
    operator.caches.memberships.onChange(({ type, object }) => {
      if (type === 'deleted' && object.metadata.name === 'team.ann') resolve();
    });
  });
  const closed = new Promise<void>((resolve) => {
    operator.caches.workspaces.onChange(({ type, object }) => {
      if (type === 'deleted' && object.metadata.name === personal) resolve();
    });
  });
  await kube.delete(userType, { namespace: 'slipway-system', name: 'ann' });
  await Promise.all([left, closed]);
  expect(await kube.get(namespaceType, { name: `slipway-${personal}` })).toBeUndefined();
  const { items } = await kube.list(membershipType);
  expect(items.every(({ spec }) => spec.user === 'ben')).toBe(true);
});
