import { randomBytes } from 'node:crypto';
import { isSealed } from '../core/accounts/seal.ts';
import { idOf } from '../core/api/ids.ts';
import { networkType, secretType } from '../core/api/resources/resources.ts';
import { aNetwork } from '../core/api/testing/builders.ts';
import { createTestKube } from '../hack/testenv/testKube.ts';
import { eventually } from './testing/eventually.ts';
import type { TestApi } from './testing/harness.ts';
import { startReplicas } from './testing/replicas.ts';

const kube = createTestKube();
const spec = {
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' }, gasLimit: 30_000_000 } },
};
const data = randomBytes(32).toString('base64');

let api: TestApi;
let replica: TestApi;
let one: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ api, replica, one, stop } = await startReplicas(kube));
});
afterAll(async () => {
  await stop();
  await kube.close();
});

const create = (name: string) => api.request('/v1alpha/networks', { body: { name, spec } });
const put = (id: string, body: object, by = api) =>
  by.request(`/v1alpha/networks/${id}`, { method: 'PUT', body });

it('a network is created, found on both replicas, changed and deleted', async () => {
  const created = await create('lifecycle');
  expect(created.status).toBe(201);
  const { id } = created.json;
  const path = `/v1alpha/networks/${id}`;
  for (const by of [api, replica]) {
    const { status, json } = await by.request(path);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id,
      name: 'lifecycle',
      metadata: { rev: 1 },
      spec,
      status: { state: 'Pending' },
    });
  }
  expect((await create('lifecycle')).status).toBe(409);

  const changed = await put(id, { metadata: { rev: 1 }, spec: { ...spec, persistent: true } });
  expect(changed.json).toMatchObject({ metadata: { rev: 2 }, spec: { persistent: true } });
  expect((await put(id, { metadata: { rev: 1 }, spec }, replica)).status).toBe(409);

  expect((await api.request(path, { as: 'ben' })).status).toBe(404);
  expect((await api.request(path, { method: 'DELETE', as: 'ben' })).status).toBe(404);

  const deleted = await api.request(path, { method: 'DELETE' });
  expect(deleted.json).toMatchObject({ id, metadata: { rev: 2 } });
  expect((await api.request(path)).status).toBe(404);
  expect((await api.request(path, { method: 'DELETE' })).status).toBe(404);
});

it('labels are labels of Kubernetes, and select networks', async () => {
  const labels = { team: 'a', 'example.com/stage': 'ci' };
  const body = { name: 'labelled', spec, metadata: { labels } };
  const { status, json } = await api.request('/v1alpha/networks', { body });
  expect([status, json.metadata.labels]).toEqual([201, labels]);
  const labelSelector = 'team=a,example.com/stage=ci';
  const { items } = await kube.list(networkType, { namespace: one, labelSelector });
  expect(items.map(idOf)).toEqual([json.id]);
  const selector = encodeURIComponent('metadata.labels.team == a && metadata.name == labelled');
  const listed = await replica.request(`/v1alpha/networks?selector=${selector}`);
  expect(listed.json.items.map(({ id }: { id: string }) => id)).toEqual([json.id]);
  const renamed = await put(json.id, { spec, metadata: { labels: { team: 'b' } } });
  expect(renamed.json.metadata).toMatchObject({ labels: { team: 'b' }, rev: json.metadata.rev });
  await api.request(`/v1alpha/networks/${json.id}`, { method: 'DELETE' });
});

it('a network with a finalizer is deleted once; a second deletion is 409 on any replica', async () => {
  const metadata = { finalizers: ['slipway.dev/operator'] };
  const { metadata: made } = await kube.create(
    networkType,
    aNetwork({ name: 'held', namespace: one, metadata }),
  );
  const path = `/v1alpha/networks/${made.uid}`;
  expect((await api.request(path, { method: 'DELETE' })).status).toBe(200);
  expect((await api.request(path, { method: 'DELETE' })).status).toBe(409);
  expect((await replica.request(path, { method: 'DELETE' })).status).toBe(409);
  expect((await put(String(made.uid), { spec })).status).toBe(409);
  await kube.patch(networkType, { namespace: one, name: 'held' }, { metadata: { finalizers: null } });
});

it('20 writers over two replicas on one revision: one wins', async () => {
  const { json } = await create('contended');
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const maintenanceRequest = { action: 'Restart', nonce: i + 1 };
      const body = { metadata: { rev: 1 }, spec: { ...spec, maintenanceRequest } };
      return (await put(json.id, body, i % 2 ? api : replica)).status;
    }),
  );
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  const stored = await kube.get(networkType, { namespace: one, name: 'contended' });
  expect(stored?.metadata.generation).toBe(2);
  expect(stored?.spec.maintenanceRequest?.nonce).toBe(statuses.indexOf(200) + 1);
});

it('20 writers who read and retry all succeed, one per revision, and no change is lost', async () => {
  const { json } = await create('shared');
  const path = `/v1alpha/networks/${json.id}`;
  const seen = new Map<number, number>();
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const by = i % 2 ? api : replica;
      for (let status = 409; status === 409; ) {
        const { rev } = (await by.request(path)).json.metadata;
        const maintenanceRequest = { action: 'Restart', nonce: i + 1 };
        const answer = await put(json.id, { metadata: { rev }, spec: { ...spec, maintenanceRequest } }, by);
        status = answer.status;
        expect([200, 409]).toContain(status);
        if (status === 200) expect(answer.json.metadata.rev).toBe(rev + 1);
        if (status === 200) seen.set(rev + 1, i + 1);
      }
    }),
  );
  expect([...seen.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
  const stored = await kube.get(networkType, { namespace: one, name: 'shared' });
  expect(stored).toMatchObject({
    metadata: { generation: 21 },
    spec: { maintenanceRequest: { nonce: seen.get(21) } },
  });
});

it('writers without a revision all succeed while an operator writes the status', async () => {
  const { json } = await create('busy');
  const ref = { namespace: one, name: 'busy' };
  const statusWrites = (async () => {
    for (let i = 0; i < 20; i++)
      await kube.patch(networkType, ref, { status: { message: `${i}` } }, 'status');
  })();
  const statuses: number[] = [];
  for (let i = 1; i <= 5; i++) {
    const maintenanceRequest = { action: 'Restart', nonce: i };
    statuses.push((await put(json.id, { spec: { ...spec, maintenanceRequest } })).status);
  }
  await statusWrites;
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  const stored = await kube.get(networkType, ref);
  expect(stored).toMatchObject({ spec: { maintenanceRequest: { nonce: 5 } }, status: { message: '19' } });
});

it('reading a network is recorded in its status, with a separate field manager', async () => {
  const { json } = await create('seen');
  const ref = { namespace: one, name: 'seen' };
  await kube.patch(networkType, ref, { status: { state: 'Operational', message: 'ok' } }, 'status');
  await api.request(`/v1alpha/networks/${json.id}`);
  const stored = await eventually(
    () => kube.get(networkType, ref),
    (network) => network?.status?.lastActivityAt !== undefined,
  );
  expect(stored?.status).toMatchObject({ state: 'Operational', message: 'ok' });
  const managers = JSON.stringify(stored?.metadata);
  expect(managers).toContain('"manager":"slipway-apiserver","operation":"Apply"');
  expect(stored?.metadata.generation).toBe(1);
});

it('a secret is stored sealed, read by its owner, kept while in use, then deleted', async () => {
  const created = await api.request('/v1alpha/secrets', {
    body: { name: 'hot-key', type: 'private-key', data },
  });
  expect(created.status).toBe(201);
  const stored = await kube.get(secretType, { namespace: one, name: 'hot-key' });
  expect(isSealed(stored?.spec.data ?? '')).toBe(true);
  expect(JSON.stringify(stored)).not.toContain(data);

  const path = `/v1alpha/secrets/${created.json.id}`;
  expect((await replica.request(path)).json.data).toBe(data);
  expect((await api.request('/v1alpha/secrets')).json.items).toMatchObject([{ name: 'hot-key', data }]);
  expect((await api.request(path, { as: 'ben' })).status).toBe(404);

  await create('user-of-it');
  const held = await replica.request(path, { method: 'DELETE' });
  expect(held.status).toBe(409);
  expect(held.json.message).toContain('"user-of-it"');
  for (const network of (await kube.list(networkType, { namespace: one })).items) {
    await api.request(`/v1alpha/networks/${idOf(network)}`, { method: 'DELETE' });
  }
  const answer = await eventually(
    () => api.request(path, { method: 'DELETE' }),
    ({ status }) => status !== 409,
  );
  expect(answer.status).toBe(200);
  expect((await api.request(path)).status).toBe(404);
});
