import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { networkType, secretType, tokenType, workspaceType } from '../../core/api/resources/resources.ts';
import { aWorkspace, serviceNamespace } from '../../core/api/testing/accountBuilders.ts';
import { aNetwork, aSecret, aToken } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi, type TestUser } from '../testing/harness.ts';
import { type EventClient, openEvents } from './testing/client.ts';

const namespace = 'ws-one';
const users: TestUser[] = [
  { userId: 'ann', workspaceId: 'one', namespace },
  { userId: 'vic', workspaceId: 'one', namespace, role: 'viewer' },
  { userId: 'tom', workspaceId: 'one', namespace, permissions: ['networks:read'] },
  { userId: 'eve', workspaceId: 'two', namespace: 'ws-two' },
];

let kube: FakeKube;
let apis: TestApi[];
let clients: EventClient[];
beforeEach(() => {
  kube = createFakeKube();
  apis = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await Promise.all(apis.map((api) => api.close()));
});

async function startReplica(): Promise<TestApi> {
  const api = await startTestApi({ kube, users });
  apis.push(api);
  return api;
}

async function open(api: TestApi, options: Parameters<typeof openEvents>[1] = {}): Promise<EventClient> {
  const client = await openEvents(api.url, options);
  clients.push(client);
  return client;
}

const create = (name: string, where = namespace) =>
  kube.create(networkType, aNetwork({ name, namespace: where }));
const setStatus = (name: string, status: NetworkStatus) =>
  kube.patch(networkType, { namespace, name }, { status }, 'status');
const remove = (name: string) => kube.delete(networkType, { namespace, name });

it('everything that exists comes first, then stream.ready, then changes', async () => {
  await create('a');
  await kube.create(secretType, aSecret({ name: 's', namespace }));
  const client = await open(await startReplica());
  await client.saw('stream.ready');
  await create('b');
  await setStatus('b', { state: 'Operational' });
  await remove('b');
  await client.saw('network.deleted');
  expect(client.types()).toEqual([
    ...['network.present', 'secret.present', 'stream.ready'],
    ...['network.created', 'network.operational', 'network.deleted'],
  ]);
  const ids = client.events.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('only the present, if changes are not asked for', async () => {
  await create('a');
  const api = await startReplica();
  const { status, text } = await api.request('/v1alpha/events?follow=false');
  expect([status, text.match(/"type":"[a-z]+\.[a-z]+"/g)]).toEqual([
    200,
    ['"type":"network.present"', '"type":"stream.ready"'],
  ]);
});

it('other workspaces are not in it', async () => {
  const client = await open(await startReplica(), { as: 'eve' });
  await client.saw('stream.ready');
  await create('a');
  await create('b', 'ws-two');
  const { object } = await client.saw('network.created');
  expect([object.name, client.types()]).toEqual(['b', ['stream.ready', 'network.created']]);
});

it('kinds that the key may not read are not in it', async () => {
  await kube.create(secretType, aSecret({ namespace }));
  const client = await open(await startReplica(), { as: 'tom' });
  await kube.create(tokenType, aToken({ namespace }));
  await create('a');
  await client.saw('network.created');
  expect(client.types()).toEqual(['stream.ready', 'network.created']);
});

it('the URLs that change a chain by hand are only for those who may write', async () => {
  const status: NetworkStatus = {
    state: 'Operational',
    endpoints: { 'evm-rpc': 'http://gateway/rpc/x' },
    adminServices: ['evm-rpc-admin'],
    accessKeys: { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 0, observedNonce: 0 } },
  };
  await create('a');
  await setStatus('a', status);
  const api = await startReplica();
  const services = async (as: string) => {
    const { object } = await (await open(api, { as })).saw('network.present');
    return Object.keys(object.status.endpoints);
  };
  const writer = await services('ann');
  const reader = await services('vic');
  expect([writer.length, reader]).toEqual([2, ['evm-rpc']]);
});

it.each([
  ['types', '?types=network.created,network.deleted', ['network.created', 'network.deleted']],
  ['a kind', '?types=network.*', ['network.created', 'network.operational', 'network.deleted']],
  ['a name', '?selector=metadata.name%3D%3Dother', []],
])('a filter by %s', async (_reason, query, expected) => {
  const api = await startReplica();
  const client = await open(api, { query });
  const end = await open(api);
  await client.saw('stream.ready');
  await end.saw('stream.ready');
  await create('a');
  await setStatus('a', { state: 'Operational' });
  await kube.create(secretType, aSecret({ namespace }));
  await remove('a');
  await end.saw('network.deleted');
  const { text } = await api.request('/v1alpha/networks');
  expect(text).toContain('NetworkList');
  expect(client.types()).toEqual(['stream.ready', ...expected]);
});

it.each([
  ['an unknown type', '?types=network.exploded', 400, 'unknown'],
  ['a malformed selector', '?selector=%3D', 400, 'selector'],
  ['types that the key may not read', '?types=secret.*', 403, 'secrets:read'],
])('%s is refused', async (_reason, query, status, message) => {
  const api = await startReplica();
  const answer = await api.request(`/v1alpha/events${query}`, { as: 'tom' });
  expect([answer.status, answer.json.message]).toEqual([status, expect.stringContaining(message)]);
});

describe('a stream that resumes', () => {
  it('goes on where it ended, at any replica', async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const first = await open(one);
    await first.saw('stream.ready');
    await create('a');
    await first.saw('network.created');
    first.close();
    await setStatus('a', { state: 'Operational' });
    const second = await open(two, { lastEventId: first.lastEventId() });
    await second.saw('network.operational');
    expect(second.types()).toEqual(['network.operational']);
  });

  it('goes on at a replica that started after the events, also of what is gone', async () => {
    const first = await open(await startReplica());
    await first.saw('stream.ready');
    await create('a');
    await setStatus('a', { state: 'Pending', message: 'x' });
    await setStatus('a', { state: 'Error' });
    await remove('a');
    const late = await startReplica();
    const second = await open(late, { lastEventId: first.lastEventId() });
    await second.saw('network.deleted');
    await create('b');
    await second.saw('network.created', ({ object }) => object.name === 'b');
    const missed = ['network.created', 'network.status', 'network.error', 'network.deleted'];
    expect(second.types()).toEqual([...missed, 'network.created']);
    await first.saw('network.created', ({ object }) => object.name === 'b');
    expect(second.events.map(({ id }) => id)).toEqual(first.events.slice(1).map(({ id }) => id));
    expect(await late.scrape()).toContain('slipway_event_backfills_total{kind="Network"} 1');
  });

  it('begins again after a reset if the past is gone', async () => {
    const first = await open(await startReplica());
    await first.saw('stream.ready');
    first.close();
    await create('a');
    kube.compact();
    const late = await startReplica();
    const second = await open(late, { lastEventId: first.lastEventId() });
    await second.saw('stream.ready');
    expect(second.types()).toEqual(['stream.reset', 'network.present', 'stream.ready']);
    expect(await late.scrape()).toContain('slipway_event_stream_resets_total 1');
  });

  it.each([
    ['made up', async () => 'x'.repeat(200)],
    [
      'of another workspace',
      async (api: TestApi) => {
        const other = await open(api, { as: 'eve' });
        await other.saw('stream.ready');
        return other.lastEventId();
      },
    ],
  ])('begins again if the id is %s', async (_reason, idFrom) => {
    const api = await startReplica();
    const client = await open(api, { lastEventId: await idFrom(api) });
    await client.saw('stream.ready');
    expect(client.types()).toEqual(['stream.reset', 'stream.ready']);
  });

  it('begins again in a workspace that was restored: revisions of another cluster mean nothing there', async () => {
    const workspace = aWorkspace({ name: 'one' });
    await kube.create(workspaceType, workspace);
    const first = await open(await startReplica());
    await first.saw('stream.ready');
    first.close();
    await kube.delete(workspaceType, { namespace: serviceNamespace, name: 'one' });
    await kube.create(workspaceType, workspace);
    const second = await open(await startReplica(), { lastEventId: first.lastEventId() });
    await second.saw('stream.ready');
    expect(second.types()).toEqual(['stream.reset', 'stream.ready']);
  });

  it('may say where in the query', async () => {
    const api = await startReplica();
    const first = await open(api);
    await first.saw('stream.ready');
    await create('a');
    const second = await open(api, { query: `?lastEventId=${first.lastEventId()}` });
    await second.saw('network.created');
    expect(second.types()).toEqual(['network.created']);
  });
});

it('a stream ends with the drain', async () => {
  const api = await startReplica();
  const client = await open(api);
  await client.saw('stream.ready');
  api.endStreams();
  await client.ended;
  expect(await api.scrape()).toMatch(/streams_ended_total\{reason="drain"\} 1/);
});

it('an account has a budget of streams, which it gets back', async () => {
  const api = await startReplica();
  const mine = await Promise.all(Array.from({ length: 8 }, () => open(api)));
  await Promise.all(mine.map((client) => client.saw('stream.ready')));
  const refused = await api.request('/v1alpha/events');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(refused.json.message).toContain('limits.eventStreams.account: 8');
  expect((await open(api, { as: 'vic' })).status).toBe(200);
  mine[0]?.close();
  for (;;) {
    const again = await open(api);
    if (again.status === 200) break;
    again.close();
  }
});
