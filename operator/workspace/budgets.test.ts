import { userType, workspaceType } from '../../core/api/resources/resources.ts';
import { aUser, aWorkspace } from '../../core/api/testing/accountBuilders.ts';
import type { ResourceType } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { limitRangeType, resourceQuotaType } from './kinds.ts';
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

describe('budgets', () => {
  const budgets = {
    resourceQuota: { pods: '5', 'count/networks.slipway.dev': 10 },
    limitRange: [{ type: 'Container', default: { memory: '1Gi' } }],
  };
  const ref = { namespace: workspaceNamespace, name: 'slipway-budget' };
  const restart = async (workspaces: object) => {
    await operator.stop();
    operator = await startAccountsOperator(kube, { hasUsers: false, workspaces });
  };
  const quotas = () =>
    operator.caches.resourceQuotas.waitFor(({ spec }) => Object.keys(spec.hard).length > 0, limit);

  test('of the installation are set before anything can run in the namespace, and are restored', async () => {
    await restart(budgets);
    await kube.create(workspaceType, aWorkspace());
    await whenWorkspace(operator, 'Ready');
    await quotas();
    expect((await kube.get(resourceQuotaType, ref))?.spec.hard).toEqual({ pods: '5' });
    expect((await kube.get(resourceQuotaType, { ...ref, name: 'slipway-objects' }))?.spec.hard).toEqual({
      'count/networks.slipway.dev': 10,
    });
    expect((await kube.get(limitRangeType, ref))?.spec.limits).toEqual(budgets.limitRange);
    const order = kube.requests.filter(({ verb }) => verb === 'apply').map(({ kind }) => kind);
    expect(order.lastIndexOf('ResourceQuota')).toBeLessThan(order.indexOf('RoleBinding'));
    const { uid } = (await kube.get(resourceQuotaType, ref))?.metadata ?? {};
    await kube.delete(resourceQuotaType, ref);
    const isBack = operator.caches.resourceQuotas.waitFor(
      ({ metadata }) => metadata.name === ref.name && metadata.uid !== uid,
      limit,
    );
    expect((await isBack)?.spec.hard).toEqual({ pods: '5' });
  });

  test('that the installation no longer has are removed, but not those of somebody else', async () => {
    await restart(budgets);
    await kube.create(workspaceType, aWorkspace());
    await whenWorkspace(operator, 'Ready');
    const theirs = { ...ref, name: 'theirs', labels: { 'slipway.dev/workspace-namespace': 'team' } };
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: theirs,
      spec: { hard: { pods: '1' } },
    };
    await kube.create(resourceQuotaType, quota);
    await restart({ resourceQuota: {}, limitRange: [] });
    await gonePolicy(resourceQuotaType, ref);
    await gonePolicy(limitRangeType, ref);
    expect(await kube.get(resourceQuotaType, theirs)).toBeDefined();
  });

  /** Resolves once the object no longer exists. */
  async function gonePolicy(type: ResourceType, wanted: { namespace: string; name: string }): Promise<void> {
    const stop = new Promise<void>((resolve) => {
      const remove = kube.intercept(async ({ verb, kind }) => {
        if (verb !== 'delete' || kind !== type.kind) return;
        remove();
        resolve();
      });
    });
    if (await kube.get(type, wanted)) await stop;
    await new Promise(setImmediate);
    expect(await kube.get(type, wanted)).toBeUndefined();
  }
});
