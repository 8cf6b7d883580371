import { startTestApi, type TestApi, type TestUser } from '../../../../apiserver/testing/harness.ts';
import { reportStatus, tenants } from '../../../../apiserver/testing/reportStatus.ts';
import { secretType } from '../../../../core/api/resources/resources.ts';
import { createFakeKube } from '../../../../core/kube/testing/fake/fake.ts';
import { webhookType } from '../../api/types.ts';

export const namespace = 'ws-one';
/** The key of a program that makes webhooks for what it may read: networks. */
const hookKey: TestUser = {
  userId: 'wes',
  workspaceId: 'one',
  namespace,
  permissions: ['webhooks:read', 'webhooks:write', 'networks:read'],
};
export const path = '/v1alpha/webhooks';
export const url = 'https://example.com/hook?token=t0ken';
export const at = (id: string, rest = '') => `${path}/${id}${rest}`;

/** An API server for each test, with an operator that reports Active for each webhook that changed. */
export function useWebhooks() {
  let kube: ReturnType<typeof createFakeKube>;
  let api: TestApi;
  let stopOperator: () => Promise<void>;
  beforeEach(async () => {
    kube = createFakeKube();
    api = await startTestApi({ kube, users: [...tenants, hookKey] });
    stopOperator = reportStatus(kube, webhookType, ({ metadata, status }) => {
      const resumed = metadata.annotations?.['slipway.dev/resume'];
      const isNews = status?.state === undefined || resumed !== status.resumed;
      return isNews ? { state: 'Active', since: '1', ...(resumed ? { resumed } : {}) } : undefined;
    });
  });
  afterEach(async () => {
    await stopOperator();
    await api.close();
  });
  return {
    get kube() {
      return kube;
    },
    get api() {
      return api;
    },
    create: (body: object = {}, options: object = {}) =>
      api.request(path, { body: { name: 'ci', spec: { url }, ...body }, ...options }),
    post: (id: string, rest: string, body?: object, options: object = {}) =>
      api.request(at(id, rest), { method: 'POST', ...(body ? { body } : {}), ...options }),
    stored: async () => (await kube.list(webhookType, { namespace })).items[0],
    secrets: async () => (await kube.list(secretType, { namespace })).items,
  };
}
