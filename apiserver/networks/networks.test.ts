import { aNetwork } from '../../core/api/builders.ts';
import { networkType } from '../../core/api/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/fake.ts';
import { AppError } from '../../core/lib/errors.ts';
import { startTestApi, type TestApi } from '../testing/harness.ts';

const users = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' },
] as const;
const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' } } } };
const unknownId = '00000000-0000-4000-8000-000000000000';

let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
});
afterEach(() => api.close());

const create = async (name: string, extra: object = {}) =>
  (await api.request('/v1alpha/networks', { body: { name, spec, ...extra } })).json;
const put = (id: string, body: object, headers: Record<string, string> = {}) =>
  api.request(`/v1alpha/networks/${id}`, { method: 'PUT', body, headers });
const remove = (id: string) => api.request(`/v1alpha/networks/${id}`, { method: 'DELETE' });
const read = (name: string, namespace = 'ws-one') => kube.get(networkType, { namespace, name });

describe('create', () => {
  it('answers at once, Pending, with its place and revision, and stores what was sent', async () => {
    const { status, headers, json } = await api.request('/network/v1alpha/networks', {
      body: { name: 'a', spec },
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      kind: 'Network',
      version: 'v1alpha',
      name: 'a',
      ownerID: 'ann',
      metadata: { name: 'a', rev: 1, ownerID: 'ann', workspace: 'one' },
      spec,
      status: { state: 'Pending' },
    });
    expect(json.metadata.updatedAt).toBe(json.metadata.createdAt);
    expect(headers.get('location')).toBe(`/network/v1alpha/networks/${json.id}`);
    expect(headers.get('etag')).toBe('"1"');
    const stored = await read('a');
    expect(stored).toMatchObject({ metadata: { uid: json.id, generation: 1 }, spec });
    expect(stored?.metadata.labels).toEqual({ 'slipway.dev/owner': 'ann', 'slipway.dev/workspace': 'one' });
  });

  it('is in the very next list', async () => {
    await create('a');
    const { json } = await api.request('/v1alpha/networks');
    expect(json).toMatchObject({
      kind: 'NetworkList',
      version: 'v1alpha',
      metadata: {},
      items: [{ name: 'a' }],
    });
  });

  it.each([
    ['at the top', { name: 'a', spec }, 201],
    ['in metadata', { metadata: { name: 'a' }, spec }, 201],
    ['in both, the same', { name: 'a', metadata: { name: 'a' }, spec }, 201],
    ['in both, different', { name: 'a', metadata: { name: 'b' }, spec }, 400],
    ['nowhere', { spec }, 400],
  ])('the name may be given %s', async (_reason, body, status) => {
    const answer = await api.request('/v1alpha/networks', { body });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json.details[0].path).toMatch(/name$/);
  });

  it('a name that is taken is 409, in another workspace it is free', async () => {
    await create('a');
    const taken = await api.request('/v1alpha/networks', { body: { name: 'a', spec } });
    expect(taken.status).toBe(409);
    expect(taken.json).toMatchObject({ reason: 'Conflict', details: [{ path: 'name' }] });
    expect((await api.request('/v1alpha/networks', { body: { name: 'a', spec }, as: 'ben' })).status).toBe(
      201,
    );
  });

  it.each([
    ['a chain type', { chain: { type: 'Solana', solana: {} } }, 'spec.chain.type'],
    [
      'a plugin',
      { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'k' }, plugins: { graph: {} } } } },
      'spec.chain.ethereum.plugins.graph',
    ],
    [
      'participants',
      {
        chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'k' }, participants: [{ count: 1 }] } },
      },
      'spec.chain.ethereum.participants',
    ],
  ])('%s that is not available yet is 400 and named', async (_reason, wanted, path) => {
    const { status, json } = await api.request('/v1alpha/networks', { body: { name: 'a', spec: wanted } });
    expect(status).toBe(400);
    expect(json.details[0].path).toBe(path);
    expect(json.message).toContain('not yet available on this installation');
  });
});

describe('read', () => {
  it('carries the status as the operator wrote it', async () => {
    const status = {
      state: 'Operational',
      message: 'ok',
      endpoints: { rpc: 'http://x/rpc' },
      chainID: '5',
    } as const;
    const { metadata } = kube.seed(networkType, aNetwork({ name: 'a', namespace: 'ws-one', status }));
    const { json } = await api.request(`/v1alpha/networks/${metadata.uid}`);
    expect(json.status).toEqual(status);
    const endpoints = await api.request(`/v1alpha/networks/${metadata.uid}/endpoints`);
    expect(endpoints.json).toMatchObject({
      kind: 'EndpointSet',
      version: 'v1alpha',
      metadata: { name: 'a', workspace: 'one' },
      map: { rpc: 'http://x/rpc' },
    });
  });

  it('has no endpoints before there are some', async () => {
    const { id } = await create('a');
    expect((await api.request(`/v1alpha/networks/${id}/endpoints`)).json.map).toEqual({});
  });

  it('is never answered 304: the status changes while the revision stays', async () => {
    const { id } = await create('a');
    const answer = await api.request(`/v1alpha/networks/${id}`, { headers: { 'If-None-Match': '"1"' } });
    expect(answer.status).toBe(200);
  });

  it.each(['', '/endpoints'])(
    'GET …%s of another workspace is 404, as for an id that nobody has',
    async (rest) => {
      const { id } = await create('a');
      const foreign = await api.request(`/v1alpha/networks/${id}${rest}`, { as: 'ben' });
      const unknown = await api.request(`/v1alpha/networks/${unknownId}${rest}`, { as: 'ben' });
      expect(foreign.status).toBe(404);
      expect({ ...foreign.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
    },
  );

  it.each([
    ['a name', 'my-network'],
    ['a very long one', 'x'.repeat(300)],
    ['odd characters', '..%2F..%2Fsecrets'],
    ['a NUL', 'a%00b'],
  ])('an id that is none is 404: %s', async (_reason, id) => {
    for (const method of ['GET', 'DELETE']) {
      expect((await api.request(`/v1alpha/networks/${id}`, { method })).status).toBe(404);
    }
    expect((await put(id, { spec })).status).toBe(404);
  });

  it('finds what another replica created just now, before the watch tells', async () => {
    const other = await startTestApi({ kube: withoutWatch(kube), users });
    const { id } = await create('fresh');
    const answers = await Promise.all([1, 2, 3].map(() => other.request(`/v1alpha/networks/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await other.close();
  });
});

describe('list', () => {
  const walk = async (query: string): Promise<string[][]> => {
    const pages: string[][] = [];
    let cursor = '';
    do {
      const { status, json } = await api.request(`/v1alpha/networks?${query}${cursor}`);
      expect(status).toBe(200);
      pages.push(json.items.map(({ name }: { name: string }) => name));
      cursor = json.metadata.cursor ? `&cursor=${encodeURIComponent(json.metadata.cursor)}` : '';
    } while (cursor);
    return pages;
  };

  it('walks page by page, by name, of this workspace alone', async () => {
    for (const name of ['e', 'b', 'd', 'a', 'c']) await create(name);
    await api.request('/v1alpha/networks', { body: { name: 'x', spec }, as: 'ben' });
    expect(await walk('limit=2')).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await walk('limit=5')).toEqual([['a', 'b', 'c', 'd', 'e']]);
  });

  it('50 on a page when no limit is given', async () => {
    for (let i = 0; i < 51; i++) kube.seed(networkType, aNetwork({ name: `n${i}`, namespace: 'ws-one' }));
    expect((await walk('')).map(({ length }) => length)).toEqual([50, 1]);
  });

  it.each([
    ["status.state == 'Operational'", ['up']],
    ['status.state != Operational', ['base', 'kept', 'new']],
    ['status.state == Pending', ['new']],
    ['spec.chain.type IN (Base, BNB)', ['base']],
    ['spec.persistent == true', ['kept']],
    ['spec.persistent == false', ['base', 'new', 'up']],
    ['metadata.ownerID == zoe', ['base']],
    ['metadata.ownerID != zoe && status.state IN (Operational, Error)', ['kept', 'up']],
  ])('selector %s', async (selector, names) => {
    const namespace = 'ws-one';
    const zoe = { labels: { 'slipway.dev/owner': 'zoe' } };
    const base = { chain: { type: 'Base', base: {} } } as const;
    kube.seed(networkType, aNetwork({ name: 'new', namespace }));
    kube.seed(networkType, aNetwork({ name: 'up', namespace, status: { state: 'Operational' } }));
    kube.seed(
      networkType,
      aNetwork({ name: 'kept', namespace, spec: { persistent: true }, status: { state: 'Error' } }),
    );
    kube.seed(
      networkType,
      aNetwork({ name: 'base', namespace, metadata: zoe, spec: base, status: { state: 'Stopped' } }),
    );
    expect(await walk(`limit=1&selector=${encodeURIComponent(selector)}`)).toEqual(
      names.map((name) => [name]),
    );
  });

  it('a cursor serves its own list alone', async () => {
    for (const name of ['a', 'b']) await create(name);
    const { json } = await api.request('/v1alpha/networks?limit=1');
    const cursor = encodeURIComponent(json.metadata.cursor);
    const others = [
      await api.request(`/v1alpha/networks?cursor=${cursor}`, { as: 'ben' }),
      await api.request(`/v1alpha/secrets?cursor=${cursor}`),
      await api.request(
        `/v1alpha/networks?cursor=${cursor}&selector=${encodeURIComponent('status.state == Error')}`,
      ),
    ];
    expect(others.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await api.request(`/v1alpha/networks?limit=7&cursor=${cursor}`)).json.items).toHaveLength(1);
  });
});

describe('replace', () => {
  const changed = { ...spec, persistent: true };

  it('takes the whole spec and counts the revision up', async () => {
    const { id } = await create('a', { spec: { ...spec, persistent: true } });
    const { status, headers, json } = await put(id, { spec });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, name: 'a', metadata: { rev: 2 }, spec });
    expect(json.spec).not.toHaveProperty('persistent');
    expect(headers.get('etag')).toBe('"2"');
    expect((await api.request(`/v1alpha/networks/${id}`)).json.metadata.rev).toBe(2);
  });

  it('takes back what a GET answered, and the same spec changes nothing', async () => {
    const { id } = await create('a');
    const { json } = await api.request(`/v1alpha/networks/${id}`);
    const answer = await put(id, json);
    expect(answer.json).toMatchObject({ metadata: { rev: 1 }, spec });
    expect((await read('a'))?.metadata.annotations).toBeUndefined();
  });

  it('keeps what others put into the metadata', async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', mine: 'yes' };
    const metadata = { annotations, finalizers: ['slipway.dev/operator'] };
    const { metadata: made } = kube.seed(networkType, aNetwork({ name: 'a', namespace: 'ws-one', metadata }));
    expect((await put(String(made.uid), { spec: changed })).status).toBe(200);
    const after = await read('a');
    expect(after?.metadata).toMatchObject({ annotations, finalizers: ['slipway.dev/operator'] });
  });

  it.each([
    ['metadata.rev', (rev: number) => ({ body: { metadata: { rev } }, headers: {} })],
    ['If-Match', (rev: number) => ({ body: {}, headers: { 'If-Match': `"${rev}"` } })],
  ])('with a revision by %s, only on top of that one', async (_name, give) => {
    const { id } = await create('a');
    const right = give(1);
    expect((await put(id, { spec: changed, ...right.body }, right.headers)).status).toBe(200);
    const late = await put(id, { spec, ...right.body }, right.headers);
    expect(late.status).toBe(409);
    expect(late.json).toMatchObject({
      reason: 'Conflict',
      message: expect.stringContaining('revision is 2'),
    });
  });

  it('20 writers on one revision: one wins, the others are told', async () => {
    const { id } = await create('a');
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const body = {
          metadata: { rev: 1 },
          spec: { ...spec, maintenanceRequest: { action: 'Restart', nonce: i + 1 } },
        };
        return (await put(id, body)).status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    expect((await read('a'))?.metadata.generation).toBe(2);
  });

  it('is not hindered by the status that the operator writes meanwhile', async () => {
    const { id } = await create('a');
    let writes = 0;
    const end = kube.intercept(async ({ verb, subresource }) => {
      if (verb !== 'replace' || subresource || writes === 3) return;
      writes += 1;
      await kube.patch(
        networkType,
        { namespace: 'ws-one', name: 'a' },
        { status: { message: `${writes}` } },
        'status',
      );
    });
    expect((await put(id, { spec: changed })).status).toBe(200);
    end();
    expect(await read('a')).toMatchObject({ spec: changed, status: { message: '3' } });
  });

  it.each([
    ['another chain type', { spec: { chain: { type: 'Base', base: {} } } }, ['spec.chain.type']],
    ['another name', { name: 'b', spec }, ['name']],
    ['another name in metadata', { metadata: { name: 'b' }, spec }, ['metadata.name']],
    ['another id', { id: unknownId, spec }, ['id']],
    ['no spec', { name: 'a' }, ['spec']],
    ['half a spec', { spec: { chain: { type: 'Ethereum' } } }, ['spec.chain.ethereum']],
  ])('%s is 400', async (_reason, body, paths) => {
    const { id } = await create('a');
    const { status, json } = await put(id, body);
    expect(status).toBe(400);
    expect(json.details.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  it('of another workspace is 404', async () => {
    const { id } = await create('a');
    const answer = await api.request(`/v1alpha/networks/${id}`, { method: 'PUT', body: { spec }, as: 'ben' });
    expect(answer.status).toBe(404);
  });

  it('of a network that is being deleted is 409', async () => {
    const metadata = { finalizers: ['slipway.dev/operator'] };
    const { metadata: made } = kube.seed(networkType, aNetwork({ name: 'a', namespace: 'ws-one', metadata }));
    await remove(String(made.uid));
    expect((await put(String(made.uid), { spec: changed })).status).toBe(409);
  });
});

describe('delete', () => {
  it('answers the network as it was; then it is gone', async () => {
    const { id } = await create('a');
    const { status, json } = await remove(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, name: 'a', spec });
    expect(await read('a')).toBeUndefined();
    expect((await api.request(`/v1alpha/networks/${id}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await api.request('/v1alpha/networks')).json.items).toEqual([]);
  });

  it('a second time while the operator still clears up is 409', async () => {
    const metadata = { finalizers: ['slipway.dev/operator'] };
    const { metadata: made } = kube.seed(networkType, aNetwork({ name: 'a', namespace: 'ws-one', metadata }));
    expect((await remove(String(made.uid))).status).toBe(200);
    const again = await remove(String(made.uid));
    expect(again.status).toBe(409);
    expect((await api.request('/v1alpha/networks', { body: { name: 'a', spec } })).json.message).toContain(
      'still being deleted',
    );
  });

  it('of another workspace is 404 and deletes nothing', async () => {
    const { id } = await create('a');
    expect((await api.request(`/v1alpha/networks/${id}`, { method: 'DELETE', as: 'ben' })).status).toBe(404);
    expect(await read('a')).toBeDefined();
  });

  it('never hits a namesake that came meanwhile', async () => {
    const { id } = await create('a');
    await kube.delete(networkType, { namespace: 'ws-one', name: 'a' });
    await kube.create(networkType, aNetwork({ name: 'a', namespace: 'ws-one' }));
    expect((await remove(id)).status).toBe(404);
    expect(await read('a')).toBeDefined();
  });
});

describe('when kube-apiserver does not answer', () => {
  const down = (times = 1) =>
    kube.failNext({
      times,
      error: new AppError('Unavailable', 'kube-apiserver did not answer', { retryAfterSeconds: 2 }),
    });

  it('writes are 503 with Retry-After', async () => {
    const { id } = await create('a');
    const writes = [
      () => api.request('/v1alpha/networks', { body: { name: 'b', spec } }),
      () => put(id, { spec }),
      () => remove(id),
    ];
    for (const write of writes) {
      down();
      const { status, headers, json } = await write();
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('2');
      expect(json.reason).toBe('Unavailable');
    }
  });

  it('reads are answered from what is known; of what is not known it cannot be said', async () => {
    const { id } = await create('a');
    down(1000);
    expect((await api.request(`/v1alpha/networks/${id}`)).status).toBe(200);
    expect((await api.request(`/v1alpha/networks/${id}/endpoints`)).status).toBe(200);
    expect((await api.request('/v1alpha/networks')).json.items).toHaveLength(1);
    expect((await api.request(`/v1alpha/networks/${unknownId}`)).status).toBe(503);
  });

  it.each(['Forbidden', 'NotFound', 'TooManyRequests', 'Internal'] as const)(
    'its %s is no fault of the caller: 503, and none of its words',
    async (reason) => {
      kube.failNext({ verb: 'create', error: new AppError(reason, 'serviceaccount x cannot') });
      const { status, text } = await api.request('/v1alpha/networks', { body: { name: 'b', spec } });
      expect(status).toBe(503);
      expect(text).not.toContain('serviceaccount');
    },
  );

  it('an error that nobody foresaw is 500 without a word of it', async () => {
    kube.failNext({ verb: 'create', error: new TypeError('undefined is not a function at /app/x.ts') });
    const { status, json } = await api.request('/v1alpha/networks', { body: { name: 'b', spec } });
    expect(status).toBe(500);
    expect(JSON.stringify(json)).not.toMatch(/undefined|\.ts/);
  });
});

it('each mutation leaves an audit line, also when it fails; reads leave none', async () => {
  const { id } = await create('a');
  await api.request(`/v1alpha/networks/${id}`, { headers: { 'X-Request-ID': 'read-1' } });
  await put(id, { name: 'other', spec });
  await remove(id);
  expect(
    api.audits.map(({ operation, outcome, objects, user }) => [operation, outcome, objects, user]),
  ).toEqual([
    ['createNetwork', 'ok', `network a (${id})`, 'ann'],
    ['replaceNetwork', 'BadRequest', id, 'ann'],
    ['deleteNetwork', 'ok', `network a (${id})`, 'ann'],
  ]);
});

/** A replica whose watch has said nothing yet since its first list. */
function withoutWatch(base: FakeKube): FakeKube {
  return {
    ...base,
    async *watch(_type, { signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  };
}
