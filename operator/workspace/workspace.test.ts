import type { Keyring } from '../../core/accounts/keyring.ts';
import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { finalizer } from '../../core/api/names.ts';
import { membershipType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { aMembership, aUser, aWorkspace } from '../../core/api/testing/accountBuilders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { AppError } from '../../core/lib/errors.ts';
import { firstKeyEpochOf } from '../../core/networks/firstKeyEpoch.ts';
import { networkPolicyType, roleBindingType } from './kinds.ts';
import { type AccountsOperator, startAccountsOperator, whenWorkspace } from './testing/world.ts';

const limit = { timeoutMs: 120_000 };
const workspaceNamespace = 'slipway-team';
let kube: FakeKube;
let operator: AccountsOperator;
beforeEach(async () => {
  kube = createFakeKube({ isCollectingGarbage: true });
  await kube.create(userType, aUser());
  operator = await startAccountsOperator(kube, { hasUsers: false });
});
afterEach(() => operator.stop());

const readyAs = (reason: string, name?: string) => whenWorkspace(operator, reason, name);
const gone = async (name = 'team') => {
  const isGone = async () =>
    (await kube.get(workspaceType, { namespace: 'slipway-system', name })) === undefined;
  if (await isGone()) return;
  await new Promise<void>((resolve) => {
    const stop = operator.caches.workspaces.onChange(({ type, object }) => {
      if (type !== 'deleted' || object.metadata.name !== name) return;
      stop();
      resolve();
    });
    void isGone().then((is) => is && resolve());
  });
};

test('creates a namespace, applies the network policies, and only then grants itself rights in it', async () => {
  await kube.create(workspaceType, aWorkspace());
  const { metadata, status } = await readyAs('Ready');
  expect(metadata.finalizers).toEqual([finalizer]);
  expect(status).toMatchObject({
    namespace: workspaceNamespace,
    conditions: [{ type: 'Ready', status: 'True' }],
  });
  const namespace = await kube.get(namespaceType, { name: workspaceNamespace });
  expect(namespace?.metadata.labels).toEqual({
    'slipway.dev/workspace': 'team',
    'slipway.dev/workspace-namespace': 'team',
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  });
  const policies = await kube.list(networkPolicyType, { namespace: workspaceNamespace });
  expect(policies.items.map((policy) => policy.metadata.name)).toEqual([
    'slipway-default-deny',
    'slipway-engines',
  ]);
  const bindings = await kube.list(roleBindingType, { namespace: workspaceNamespace });
  const bound = bindings.items.map(({ roleRef, subjects }) => [roleRef.name, ...(subjects ?? [])]);
  const account = (name: string) => ({ kind: 'ServiceAccount', name, namespace: 'slipway-system' });
  expect(bound.sort()).toEqual([
    ['slipway-apiserver-workspace', account('slipway-apiserver')],
    ['slipway-operator-home', account('slipway-operator')],
    ['slipway-operator-workspace', account('slipway-operator')],
  ]);
  const order = kube.requests.filter(({ verb }) => verb === 'apply').map(({ kind }) => kind);
  expect(order).toEqual(['NetworkPolicy', 'NetworkPolicy', 'RoleBinding', 'RoleBinding', 'RoleBinding']);
});

test('nothing is granted in a namespace whose policies the cluster refuses', async () => {
  const triedAgain = Promise.withResolvers<void>();
  let refusals = 0;
  let isRefusing = true;
  kube.intercept(({ verb, kind }) => {
    if (!isRefusing || verb !== 'apply' || kind !== 'NetworkPolicy') return;
    refusals += 1;
    if (refusals > 2) triedAgain.resolve();
    throw new AppError('BadRequest', 'spec: Invalid value');
  });
  await kube.create(workspaceType, aWorkspace());
  await triedAgain.promise;
  expect((await kube.list(roleBindingType, { namespace: workspaceNamespace })).items).toEqual([]);
  isRefusing = false;
  await readyAs('Ready');
  expect((await kube.list(networkPolicyType, { namespace: workspaceNamespace })).items).toHaveLength(2);
});

test('a namespace of another workspace object with the same id is not taken over', async () => {
  const metadata = {
    name: workspaceNamespace,
    labels: { 'slipway.dev/workspace-namespace': 'team' },
    annotations: { 'slipway.dev/workspace-uid': 'another' },
  };
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await kube.create(workspaceType, aWorkspace());
  await readyAs('NamespaceTaken');
  await kube.delete(workspaceType, { namespace: 'slipway-system', name: 'team' });
  await gone();
  expect(await kube.get(namespaceType, { name: workspaceNamespace })).toBeDefined();
});

test('keys of a namespace that is created again begin beyond those of the former one', async () => {
  const firstEpoch = async () => {
    const found = await kube.get(namespaceType, { name: workspaceNamespace });
    return firstKeyEpochOf(found ?? { metadata: { name: '' } });
  };
  await kube.create(workspaceType, aWorkspace());
  await readyAs('Ready');
  const before = await firstEpoch();
  expect(before).toBeGreaterThan(Date.parse('2026-01-01'));
  await kube.delete(workspaceType, { namespace: 'slipway-system', name: 'team' });
  await gone();
  await kube.create(workspaceType, aWorkspace());
  await readyAs('Ready');
  expect(await firstEpoch()).toBeGreaterThan(before);
});

test('a namespace that was there before its workspace gets no first epoch: its networks keep their URLs', async () => {
  const metadata = { name: workspaceNamespace, labels: { 'slipway.dev/workspace-namespace': 'team' } };
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await kube.create(workspaceType, aWorkspace());
  await readyAs('Ready');
  const found = await kube.get(namespaceType, { name: workspaceNamespace });
  expect(found?.metadata.annotations).toEqual({ 'slipway.dev/workspace-uid': expect.any(String) });
});

test('restores what somebody deletes or changes', async () => {
  await kube.create(workspaceType, aWorkspace());
  await readyAs('Ready');
  await kube.delete(networkPolicyType, { namespace: workspaceNamespace, name: 'slipway-default-deny' });
  const isBack = operator.caches.networkPolicies.waitFor(
    ({ metadata }) => metadata.name === 'slipway-default-deny',
    limit,
  );
  expect(await isBack).toBeDefined();
  const open = { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } };
  await kube.patch(namespaceType, { name: workspaceNamespace }, open);
  const isRight = operator.caches.namespaces.waitFor(
    ({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted',
    limit,
  );
  expect(await isRight).toBeDefined();
});

test('a workspace keeps the key of its service account when a newer one is installed, while its own is', async () => {
  const restartWith = async (serviceAccountKeys: Keyring, name: string) => {
    await operator.stop();
    operator = await startAccountsOperator(kube, { hasUsers: false, serviceAccountKeys });
    await kube.create(workspaceType, aWorkspace({ name }));
    await readyAs('Ready', name);
    const { items } = await kube.list(workspaceType);
    return Object.fromEntries(
      items.map(({ metadata, status }) => [metadata.name, status?.serviceAccountKey]),
    );
  };
  const both = aKeyring('the new key', 'the old key');
  expect(await restartWith(aKeyring('the old key'), 'first')).toEqual({ first: 'k1' });
  expect(await restartWith(both, 'second')).toEqual({ first: 'k1', second: 'k2' });
  const [newest] = [...both.keys].slice(0, 1);
  await restartWith({ currentId: 'k2', keys: new Map(newest && [newest]) }, 'third');
  const moved = await operator.caches.workspaces.waitFor(
    ({ metadata, status }) => metadata.name === 'first' && status?.serviceAccountKey === 'k2',
    limit,
  );
  expect(moved).toBeDefined();
});

test('writes nothing once everything is up to date', async () => {
  await kube.create(workspaceType, aWorkspace());
  await readyAs('Ready');
  await operator.stop();
  const isWrite = ({ verb }: { verb: string }) => !['get', 'list', 'watch'].includes(verb);
  const before = kube.requests.filter(isWrite).length;
  operator = await startAccountsOperator(kube, { hasUsers: false });
  await kube.create(workspaceType, aWorkspace({ name: 'fence' }));
  await readyAs('Ready', 'fence');
  const later = kube.requests.filter(isWrite).slice(before);
  expect(
    later.filter(({ name, namespace }) => name?.startsWith('team') || namespace === workspaceNamespace),
  ).toEqual([]);
});

test('a namespace that belongs to somebody else is not touched, not even when the workspace is deleted', async () => {
  await kube.create(namespaceType, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: workspaceNamespace },
  });
  await kube.create(workspaceType, aWorkspace());
  expect((await readyAs('NamespaceTaken')).status?.conditions?.[0]?.status).toBe('False');
  expect((await kube.list(roleBindingType)).items).toEqual([]);
  await kube.delete(workspaceType, { namespace: 'slipway-system', name: 'team' });
  await gone();
  expect(await kube.get(namespaceType, { name: workspaceNamespace })).toBeDefined();
});

test('deleting the default workspace keeps its namespace, which the chart created', async () => {
  const metadata = { name: 'slipway-default', labels: { 'slipway.dev/workspace': 'default' } };
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await kube.create(workspaceType, aWorkspace({ name: 'default', metadata: { finalizers: [finalizer] } }));
  expect((await readyAs('Ready', 'default')).status?.namespace).toBe('slipway-default');
  expect((await kube.get(namespaceType, metadata))?.metadata.labels).toEqual(metadata.labels);
  await kube.delete(workspaceType, { namespace: 'slipway-system', name: 'default' });
  await gone('default');
  expect(await kube.get(namespaceType, metadata)).toBeDefined();
});

test('deleting a workspace deletes its namespace and memberships, and nothing of other workspaces', async () => {
  const { metadata } = await kube.create(workspaceType, aWorkspace());
  await kube.create(workspaceType, aWorkspace({ name: 'other' }));
  await readyAs('Ready');
  await readyAs('Ready', 'other');
  const member = await operator.caches.memberships.waitFor(({ spec }) => spec.workspace === 'team', limit);
  expect(member?.metadata.ownerReferences?.[0]?.uid).toBe(metadata.uid);
  await kube.delete(workspaceType, metadata);
  await gone();
  expect(await kube.get(namespaceType, { name: workspaceNamespace })).toBeUndefined();
  expect(await kube.get(namespaceType, { name: 'slipway-other' })).toBeDefined();
  const { items } = await kube.list(membershipType);
  expect(items.map(({ spec }) => spec.workspace)).toEqual(['other']);
});

test('an owner gets a membership; an owner who left does not get it back', async () => {
  await kube.create(workspaceType, aWorkspace({ spec: { owners: ['ann', 'nobody'] } }));
  const made = await operator.caches.memberships.waitFor(({ spec }) => spec.workspace === 'team', limit);
  expect(made).toMatchObject({ metadata: { name: 'team.ann' }, spec: { user: 'ann', role: 'owner' } });
  await kube.create(userType, aUser({ name: 'ben' }));
  const ref = { namespace: 'slipway-system', name: 'team' };
  await kube.patch(workspaceType, ref, { spec: { owners: ['ben'] } });
  await kube.delete(membershipType, { namespace: 'slipway-system', name: 'team.ann' });
  await operator.caches.memberships.waitFor(({ spec }) => spec.user === 'ben', limit);
  const { items } = await kube.list(membershipType);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['team.ben']);
});

test.each(['NetworkPolicy', 'RoleBinding', 'Namespace', 'Workspace', 'Membership'])(
  'recovers from a failed write of a %s, before or after it took effect',
  async (kind) => {
    for (const when of ['before', 'after'] as const) {
      const error = new AppError('Unavailable', 'cut');
      for (const verb of ['create', 'apply', 'patch'] as const) kube.failNext({ verb, kind, when, error });
      const name = `${kind.toLowerCase()}-${when}`;
      kube.seed(workspaceType, aWorkspace({ name }));
      await operator.stop();
      operator = await startAccountsOperator(kube, { hasUsers: false });
      await readyAs('Ready', name);
      expect(
        await kube.get(membershipType, aMembership({ spec: { workspace: name } }).metadata),
      ).toBeDefined();
    }
  },
);
