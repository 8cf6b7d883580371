import { randomBytes } from 'node:crypto';
import { isSealed } from '../core/accounts/seal.ts';
import { aNetwork } from '../core/api/builders.ts';
import { networkType, secretType } from '../core/api/resources.ts';
import { namespaceType } from '../core/kube/types.ts';
import { createTestKube } from '../hack/testenv/testKube.ts';
import { eventually } from './testing/eventually.ts';
import { startTestApi, type TestApi } from './testing/harness.ts';

const kube = createTestKube();
const suffix = randomBytes(4).toString('hex');
const namespaces = [`rest-one-${suffix}`, `rest-two-${suffix}`] as const;
const [one, two] = namespaces;
const users = [
  { userId: 'ann', workspaceId: 'one', namespace: one },
  { userId: 'ben', workspaceId: 'two', namespace: two },
] as const;
const spec = {
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' }, gasLimit: 30_000_000 } },
};
const data = randomBytes(32).toString('base64');

let api: TestApi;
let replica: TestApi;
beforeAll(async () => {
  for (const name of namespaces) {
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  api = await startTestApi({ kube, users });
  replica = await startTestApi({ kube, users });
});
afterAll(async () => {
  await Promise.all([api.close(), replica.close()]);
  for (const name of namespaces) await kube.delete(namespaceType, { name });
  await kube.close();
});

const create = (name: string) => api.request('/v1alpha/networks', { body: { name, spec } });
const put = (id: string, body: object, by = api) =>
  by.request(`/v1alpha/networks/${id}`, { method: 'PUT', body });

it('a network is created, found on both replicas, changed and deleted', async () => {
  const created = await create('life');
  expect(created.status).toBe(201);
  const { id } = created.json;
  const path = `/v1alpha/networks/${id}`;
  for (const by of [api, replica]) {
    const { status, json } = await by.request(path);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id,
      name: 'life',
      metadata: { rev: 1 },
      spec,
      status: { state: 'Pending' },
    });
  }
  expect((await create('life')).status).toBe(409);

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

it('a network with a finalizer is deleted once, and told so the second time on any replica', async () => {
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

it('20 writers who read and try again all get through, one for each revision, and nothing is lost', async () => {
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

it('writers without a revision all get through, beside an operator that writes the status', async () => {
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

it('looking at a network is noted in its status, under a manager of its own', async () => {
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

describe('lists', () => {
  const count = 230;
  beforeAll(async () => {
    const chainOf = (i: number) => (i % 3 === 0 ? ({ type: 'Base', base: {} } as const) : undefined);
    await Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const chain = chainOf(i);
        const network = aNetwork({ name: `n-${i}`, namespace: two, ...(chain ? { spec: { chain } } : {}) });
        await kube.create(networkType, network);
        if (i % 4 === 0) {
          await kube.patch(networkType, network.metadata, { status: { state: 'Operational' } }, 'status');
        }
      }),
    );
    await hasCaughtUp();
  });

  async function hasCaughtUp(): Promise<void> {
    const wanted = Math.ceil(count / 4);
    const query = `limit=500&selector=${encodeURIComponent('status.state == Operational')}`;
    for (const by of [api, replica]) {
      const list = () => by.request(`/v1alpha/networks?${query}`, { as: 'ben' });
      await eventually(list, ({ json }) => json.items.length === wanted);
    }
  }

  async function walk(query: string): Promise<{ names: string[]; sizes: number[] }> {
    const names: string[] = [];
    const sizes: number[] = [];
    let cursor = '';
    do {
      // A walk may go from one replica to the other at each page.
      const by = sizes.length % 2 ? replica : api;
      const { json } = await by.request(`/network/v1alpha/networks?${query}${cursor}`, { as: 'ben' });
      names.push(...json.items.map(({ name }: { name: string }) => name));
      sizes.push(json.items.length);
      cursor = json.metadata.cursor ? `&cursor=${encodeURIComponent(json.metadata.cursor)}` : '';
    } while (cursor);
    return { names, sizes };
  }

  it('a walk over both replicas shows what the cluster holds, each once', async () => {
    const raw = await kube.list(networkType, { namespace: two });
    const { names, sizes } = await walk('limit=100');
    expect(sizes).toEqual([100, 100, 30]);
    expect(names).toEqual(raw.items.map(({ metadata }) => metadata.name).sort());
  });

  it.each<[string, (i: number) => boolean]>([
    ['status.state == Operational', (i) => i % 4 === 0],
    ["spec.chain.type != 'Base'", (i) => i % 3 !== 0],
    ['status.state IN (Pending, Error) && spec.chain.type == Base', (i) => i % 4 !== 0 && i % 3 === 0],
  ])('selector %s', async (selector, isWanted) => {
    const wanted = Array.from({ length: count }, (_, i) => i).filter(isWanted);
    const { names } = await walk(`limit=20&selector=${encodeURIComponent(selector)}`);
    expect(names).toEqual(wanted.map((i) => `n-${i}`).sort());
  });
});

it('a secret is stored sealed, read by its owner, held while in use, then deleted', async () => {
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
  expect(held.json.message).toContain('«user-of-it»');
  for (const { metadata } of (await kube.list(networkType, { namespace: one })).items) {
    await api.request(`/v1alpha/networks/${metadata.uid}`, { method: 'DELETE' });
  }
  const answer = await eventually(
    () => api.request(path, { method: 'DELETE' }),
    ({ status }) => status !== 409,
  );
  expect(answer.status).toBe(200);
  expect((await api.request(path)).status).toBe(404);
});

describe('bad input is 400, names every wrong field, and reaches the cluster never', () => {
  const ethereum = spec.chain.ethereum;
  const withChain = (chain: object) => ({ name: 'bad', spec: { chain } });
  const withEthereum = (more: object) => withChain({ type: 'Ethereum', ethereum: { ...ethereum, ...more } });
  it.each<[string, unknown, string[]]>([
    ['no name', { spec }, ['name']],
    ['a name that is no label', { name: 'Bad_Name', spec }, ['name']],
    ['a name of 64 letters', { name: 'a'.repeat(64), spec }, ['name']],
    ['no spec', { name: 'bad' }, ['spec']],
    ['a spec that is text', { name: 'bad', spec: 'x' }, ['spec']],
    ['no chain', { name: 'bad', spec: {} }, ['spec.chain']],
    ['no type', withChain({ ethereum }), ['spec.chain.type']],
    ['an unknown type', withChain({ type: 'Bitcoin', ethereum }), ['spec.chain.type']],
    ['no member for the type', withChain({ type: 'Ethereum' }), ['spec.chain.ethereum']],
    ['two chain specs', withChain({ type: 'Ethereum', ethereum, base: {} }), ['spec.chain.base']],
    [
      'the member of another type',
      withChain({ type: 'Base', ethereum }),
      ['spec.chain.base', 'spec.chain.ethereum'],
    ],
    ['no key', withChain({ type: 'Ethereum', ethereum: {} }), ['spec.chain.ethereum.privateKeyRef']],
    ['a chain id that is a number', withEthereum({ chainID: 5 }), ['spec.chain.ethereum.chainID']],
    ['a block time in text', withEthereum({ blockTime: '1' }), ['spec.chain.ethereum.blockTime']],
    ['half a second', withEthereum({ blockTime: 0.5 }), ['spec.chain.ethereum.blockTime']],
    ['null', withEthereum({ gasLimit: null }), ['spec.chain.ethereum.gasLimit']],
    ['a reference that is text', withEthereum({ privateKeyRef: 'k' }), ['spec.chain.ethereum.privateKeyRef']],
    [
      'unknown fields at every level',
      {
        name: 'bad',
        a: 1,
        spec: { b: 1, chain: { type: 'Ethereum', c: 1, ethereum: { ...ethereum, d: 1 } } },
      },
      ['a', 'spec.b', 'spec.chain.c', 'spec.chain.ethereum.d'],
    ],
    [
      'an unknown action',
      { name: 'bad', spec: { ...spec, maintenanceRequest: { action: 'Explode', nonce: -1 } } },
      ['spec.maintenanceRequest.action', 'spec.maintenanceRequest.nonce'],
    ],
    ['another kind', { kind: 'Secret', name: 'bad', spec }, ['kind']],
    ['another version', { version: 'v9', name: 'bad', spec }, ['version']],
    [
      'a type that is not available yet',
      withChain({ type: 'Thorchain', thorchain: {} }),
      ['spec.chain.type'],
    ],
  ])('%s', async (_reason, body, paths) => {
    const { status, json } = await api.request('/v1alpha/networks', { body });
    expect(status).toBe(400);
    expect(json.reason).toBe('BadRequest');
    expect(json.details.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
    expect(json.details.every(({ message }: { message: string }) => message.length > 0)).toBe(true);
    expect(await kube.get(networkType, { namespace: one, name: 'bad' })).toBeUndefined();
  });
});
