import { randomBytes } from 'node:crypto';
import { secretType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { aUser, aWorkspace } from '../../core/api/testing/accountBuilders.ts';
import { createRawKube } from '../../core/api/testing/rawKube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { createTestKube, testKubeconfig } from '../../hack/testenv/testKube.ts';
import { networkPolicyType, roleBindingType } from './kinds.ts';
import { type AccountsOperator, startAccountsOperator } from './testing/world.ts';

const kube = createTestKube();
const raw = createRawKube(testKubeconfig());
const suffix = randomBytes(4).toString('hex');
const serviceNamespace = `service-${suffix}`;
const limit = { timeoutMs: 20_000 };
let operator: AccountsOperator;

beforeAll(async () => {
  const metadata = { name: serviceNamespace };
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata });
  operator = await startAccountsOperator(kube, { serviceNamespace });
});
afterAll(async () => {
  await operator.stop();
  await Promise.all([kube.close(), raw.close()]);
});

/** Replaces the namespace controller, which a test environment does not have. */
async function finalize(name: string): Promise<void> {
  const { body } = await raw.send('GET', `/api/v1/namespaces/${name}`);
  await raw.send('PUT', `/api/v1/namespaces/${name}/finalize`, {
    body: { ...body, spec: { finalizers: [] } },
  });
}

const ready = (name: string) =>
  operator.caches.workspaces.waitFor(
    ({ metadata, status }) => metadata.name === name && status?.conditions?.[0]?.status === 'True',
    limit,
  );

test('a workspace gets its namespace and policies, and its deletion leaves nothing behind', async () => {
  const id = `w${suffix}`;
  const workspaceNamespace = `slipway-${id}`;
  await kube.create(userType, aUser({ name: 'ann', metadata: { namespace: serviceNamespace } }));
  await kube.create(workspaceType, aWorkspace({ name: id, metadata: { namespace: serviceNamespace } }));
  const made = await ready(id);
  expect(made?.status).toMatchObject({ namespace: workspaceNamespace, observedGeneration: 1 });
  expect((await kube.get(namespaceType, { name: workspaceNamespace }))?.metadata.labels).toMatchObject({
    'slipway.dev/workspace': id,
    'pod-security.kubernetes.io/enforce': 'restricted',
  });
  expect((await kube.list(networkPolicyType, { namespace: workspaceNamespace })).items).toHaveLength(2);
  expect((await kube.list(roleBindingType, { namespace: workspaceNamespace })).items).toHaveLength(3);

  await kube.delete(workspaceType, { namespace: serviceNamespace, name: id });
  const ending = await operator.caches.namespaces.waitFor(
    ({ metadata }) => metadata.name === workspaceNamespace && metadata.deletionTimestamp !== undefined,
    limit,
  );
  expect(ending).toBeDefined();
  expect(await kube.get(workspaceType, { namespace: serviceNamespace, name: id })).toBeDefined();
  const gone = new Promise<void>((resolve) => {
    operator.caches.workspaces.onChange(({ type, object }) => {
      if (type === 'deleted' && object.metadata.name === id) resolve();
    });
  });
  await finalize(workspaceNamespace);
  await gone;
  expect(await kube.get(namespaceType, { name: workspaceNamespace })).toBeUndefined();
});

test('an account gets its workspace and one key, although operators are interrupted several times', async () => {
  const users = Array.from({ length: 8 }, (_, n) => `u${n}-${suffix}`);
  await Promise.all(
    users.map((name) => kube.create(userType, aUser({ name, metadata: { namespace: serviceNamespace } }))),
  );
  for (let round = 0; round < 3; round++) {
    await operator.stop();
    operator = await startAccountsOperator(kube, { serviceNamespace });
  }
  for (const name of users) {
    const found = await operator.caches.users.waitFor(
      ({ metadata, status }) => metadata.name === name && status?.conditions?.[0]?.status === 'True',
      limit,
    );
    expect(found?.status).toMatchObject({ defaultKeyGenerated: true, address: expect.stringMatching(/^0x/) });
  }
  const keys = (await kube.list(secretType)).items.filter(({ metadata }) =>
    users.includes(metadata.labels?.['slipway.dev/owner'] ?? ''),
  );
  expect(keys.map(({ metadata }) => metadata.name)).toEqual(users.map(() => 'default-key'));
  expect(new Set(keys.map(({ spec }) => spec.data)).size).toBe(users.length);
});
