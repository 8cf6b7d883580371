import { randomBytes } from 'node:crypto';
import { resourceType } from '../../core/api/resources/kubeObject.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { budgetRefusal } from '../../core/kube/apply/applyFailure.ts';
import type { KubeObject } from '../../core/kube/kube.ts';
import { namespaceType, podType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { eventually } from '../testing/eventually.ts';
import { forCaller } from './kubeErrors.ts';

const quotaType = resourceType('v1', 'ResourceQuota');
const rangeType = resourceType('v1', 'LimitRange');
const kube = createTestKube();
const namespace = `quota-${randomBytes(4).toString('hex')}`;
const budget = { name: 'slipway-budget', namespace };
const hard = { 'count/networks.slipway.dev': '1', pods: '0' };

/** An object of a kind whose spec has no type here. */
const withSpec = (object: KubeObject & { spec: object }): KubeObject => object;

const aPod = (limits: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'engine', namespace },
  spec: { containers: [{ name: 'x', image: 'x', resources: { limits } }] },
});

/** Why a pod is refused, once it is refused so. */
function refusal(limits: Record<string, string>, expected = /./): Promise<string | undefined> {
  const refusalOf = () => kube.create(podType, aPod(limits)).then(() => undefined, budgetRefusal);
  return eventually(refusalOf, (found) => expected.test(found ?? ''));
}

beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await kube.create(
    quotaType,
    withSpec({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: budget,
      spec: { hard },
    }),
  );
  // The quota controller, which a test environment does not have, counts what is there.
  const used = { 'count/networks.slipway.dev': '0', pods: '0' };
  await kube.patch(quotaType, budget, { status: { hard, used } }, 'status');
  // kube-apiserver learns of a quota a moment after it is created, and of a limit range as well.
  await refusal({});
});
afterAll(() => kube.close());

test("a create over the workspace's quota answers 429 with the budget and its usage", async () => {
  await forCaller(kube.create(networkType, aNetwork({ name: 'first', namespace })));
  await expect(
    forCaller(kube.create(networkType, aNetwork({ name: 'second', namespace }))),
  ).rejects.toMatchObject({
    status: 429,
    message: expect.stringMatching(
      /slipway-budget.*used: count\/networks.slipway.dev=1, limited: count\/networks.slipway.dev=1/,
    ),
  });
});

test('the refusals of pods by quota and limit range are recognized', async () => {
  expect(await refusal({})).toMatch(/^exceeded quota: slipway-budget, requested: pods=1/);
  await kube.create(
    rangeType,
    withSpec({
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: budget,
      spec: { limits: [{ type: 'Container', max: { memory: '1Gi' } }] },
    }),
  );
  expect(await refusal({ memory: '2Gi' }, /^maximum/)).toMatch(/^maximum memory usage per Container is 1Gi/);
});
