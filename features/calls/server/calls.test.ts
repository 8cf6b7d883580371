import type { AskReplicas } from '../../../apiserver/replicas/askReplicas.ts';
import { startTestApi, type TestApi } from '../../../apiserver/testing/harness.ts';
import { tenants } from '../../../apiserver/testing/reportStatus.ts';
import { annotations } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';

const namespace = tenants[0].namespace;
let kube: ReturnType<typeof createFakeKube>;
let network: Stored<NetworkResource>;
let api: TestApi;
let other: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  network = await kube.create(networkType, aNetwork({ name: 'net', namespace }));
  other = await startTestApi({ kube, users: tenants });
  const askReplicas: AskReplicas = async (topic, question) => ({
    answers: [other.features.answersReplicas.get(topic)?.(JSON.parse(JSON.stringify(question)))],
    missing: 0,
  });
  api = await startTestApi({ kube, users: tenants, askReplicas });
});
afterEach(() => Promise.all([api.close(), other.close()]));

const path = () => `/v1alpha/networks/${network.metadata.uid}/calls`;
const read = async (query = '') => (await api.request(path() + query)).json;
const turn = (enabled: boolean) => api.request(path(), { method: 'PUT', body: { enabled } });
const isObserved = (replica: TestApi) => replica.features.observeCalls(network.metadata.uid) !== undefined;
const whenObserved = async (isOn: boolean) => {
  while (isObserved(api) !== isOn || isObserved(other) !== isOn) await new Promise(setImmediate);
};
const observe = (replica: TestApi, method: string, message?: string) =>
  replica.features.observeCalls(network.metadata.uid)?.({
    service: 'rpc',
    transport: 'http',
    key: 'public',
    method,
    params: '[]',
    durationMs: 3,
    error: message === undefined ? undefined : { code: 3, message },
  });
const methodsOf = (list: { items: { method: string }[] }) => list.items.map(({ method }) => method);

it('nothing is kept before it is switched on', async () => {
  expect(isObserved(api)).toBe(false);
  expect(await read()).toEqual({
    kind: 'CallList',
    version: 'v1alpha',
    enabled: false,
    items: [],
    missingReplicas: 0,
  });
});

it('the calls of all replicas are shown in the order of their answers, and those that failed alone', async () => {
  expect(await turn(true)).toMatchObject({ status: 200, json: { enabled: true } });
  await whenObserved(true);
  observe(api, 'eth_a');
  observe(other, 'eth_b', 'reverted');
  const list = await read();
  expect(methodsOf(list).sort()).toEqual(['eth_a', 'eth_b']);
  expect(list).toMatchObject({ enabled: true, missingReplicas: 0 });
  const [failed] = (await read('?failed=true')).items;
  expect(failed).toEqual({
    id: expect.any(String),
    time: expect.stringMatching(/^20.*\.\d{3}Z$/),
    service: 'rpc',
    transport: 'http',
    key: 'public',
    method: 'eth_b',
    params: '[]',
    durationMs: 3,
    error: { code: 3, message: 'reverted' },
  });
  expect(methodsOf(await read(`?since=${failed.time}&failed=true&limit=1`))).toEqual(['eth_b']);
});

it('kubectl switches it on and off by the annotation, and what was kept is forgotten', async () => {
  const { metadata } = network;
  await kube.patch(networkType, metadata, { metadata: { annotations: { [annotations.keepCalls]: 'true' } } });
  await whenObserved(true);
  observe(api, 'eth_a');
  await kube.patch(networkType, metadata, { metadata: { annotations: { [annotations.keepCalls]: null } } });
  await whenObserved(false);
  expect((await read()).enabled).toBe(false);
  await turn(true);
  await whenObserved(true);
  expect((await read()).items).toEqual([]);
});

it('switching it changes nothing else of the network', async () => {
  await turn(true);
  await turn(true);
  const now = await kube.get(networkType, network.metadata);
  expect(now?.spec).toEqual(network.spec);
  expect(now?.metadata.generation).toBe(network.metadata.generation);
  expect(now?.metadata.annotations).toEqual({
    ...network.metadata.annotations,
    [annotations.keepCalls]: 'true',
  });
});

it('the calls of a network that is deleted are forgotten', async () => {
  await turn(true);
  await whenObserved(true);
  await kube.delete(networkType, network.metadata);
  await whenObserved(false);
  expect((await api.request(path())).status).toBe(404);
});

it('an answer of another replica in another form counts as missing', async () => {
  const strange = await startTestApi({
    kube,
    users: tenants,
    askReplicas: async () => ({ answers: [{ items: 'x' }], missing: 1 }),
  });
  await turn(true);
  while (!isObserved(strange)) await new Promise(setImmediate);
  expect((await strange.request(path())).json).toMatchObject({ items: [], missingReplicas: 2 });
  await strange.close();
});

it('a viewer may not see them, and only who may write switches them', async () => {
  const viewer = { ...tenants[0], userId: 'viewer', role: 'viewer' as const };
  const reader = { ...tenants[0], userId: 'reader', permissions: ['networks:read', 'logs:read'] as const };
  const users = [viewer, { ...reader, permissions: [...reader.permissions] }];
  const theirs = await startTestApi({ kube, users });
  const statusOf = async (as: string, method: string) =>
    (await theirs.request(path(), { as, method, ...(method === 'PUT' ? { body: { enabled: true } } : {}) }))
      .status;
  expect(await statusOf('viewer', 'GET')).toBe(403);
  expect(await statusOf('reader', 'GET')).toBe(200);
  expect(await statusOf('reader', 'PUT')).toBe(403);
  await theirs.close();
});

it.each(['?failed=yes', '?limit=0', '?limit=1001', '?since=yesterday', '?who=me'])(
  'refuses %s',
  async (query) => {
    expect((await api.request(path() + query)).status).toBe(400);
  },
);
