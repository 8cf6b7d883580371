import { idOf } from '../../core/api/ids.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { startTestApi, type TestApi } from '../testing/harness.ts';
import { spec } from '../testing/networkApi.ts';

const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws' }];
let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
});
afterEach(() => api.close());

/** What a request asks of kube-apiserver, without the activity of the network, which is written behind it. */
async function callsOf(path: string, options: Parameters<TestApi['request']>[1] = {}): Promise<string[]> {
  const before = kube.requests.length;
  const { status, text } = await api.request(path, options);
  if (status >= 300) throw new Error(text);
  const calls = kube.requests.slice(before).map(({ verb, kind }) => `${verb} ${kind}`);
  return calls.filter((call) => call !== 'apply Network');
}

const create = (name: string) => callsOf('/v1alpha/networks', { body: { name, spec } });

/** Asks what has been written, works, and publishes what it has written. */
const write = (...calls: string[]) => ['get Lease', ...calls, 'patch Lease'];

test('a write asks once what others have written, and publishes its own', async () => {
  expect(await create('a')).toEqual([...write('create Network'), 'create Lease']);
  expect(await create('b')).toEqual(write('create Network'));
  const { json } = await api.request('/v1alpha/networks');
  const [id] = json.items.map((item: { id: string }) => item.id);
  const remove = await callsOf(`/v1alpha/networks/${id}`, { method: 'DELETE' });
  expect(remove).toEqual(write('get Network', 'delete Network'));
});

test('a read asks what has been written, and nothing else', async () => {
  await create('a');
  expect(await callsOf('/v1alpha/networks?limit=50')).toEqual(['get Lease']);
  const { json } = await api.request('/v1alpha/networks');
  expect(await callsOf(`/v1alpha/networks/${json.items[0].id}`)).toEqual(['get Lease']);
});

test('what changes nothing publishes nothing', async () => {
  await create('a');
  await api.request('/v1alpha/networks/00000000-0000-4000-8000-000000000000', { method: 'DELETE' });
  expect(kube.requests.filter(({ verb, kind }) => verb === 'patch' && kind === 'Lease')).toHaveLength(1);
});

test('a list of one replica shows what another one created and deleted', async () => {
  const other = await startTestApi({ kube, users });
  try {
    await create('a');
    const namesAt = async ({ request }: TestApi) =>
      (await request('/v1alpha/networks')).json.items.map(({ name }: { name: string }) => name);
    expect(await namesAt(other)).toEqual(['a']);
    for (const name of ['b', 'c', 'd']) {
      const { json } = await api.request('/v1alpha/networks', { body: { name, spec } });
      expect(await namesAt(other)).toEqual(['a', name]);
      await api.request(`/v1alpha/networks/${json.id}`, { method: 'DELETE' });
      expect(await namesAt(other)).toEqual(['a']);
    }
  } finally {
    await other.close();
  }
});

test('a network whose creation could not be made known to other replicas is there for who repeats the request', async () => {
  const readsClock = createManualClock();
  const other = await startTestApi({ kube, users, readsClock });
  try {
    const request = { body: { name: 'a', spec }, headers: { 'Idempotency-Key': 'one' } };
    const heal = kube.intercept(({ verb, kind }) => {
      if (kind === 'Lease' && verb !== 'get') throw new AppError('Forbidden', 'RBAC');
    });
    let isAnswered = false;
    const first = other.request('/v1alpha/networks', request).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      await new Promise(setImmediate);
      readsClock.advance(50);
    }
    const { status, json } = await first;
    expect([status, json.message]).toEqual([503, expect.stringContaining('not known whether the change')]);
    heal();
    const repeated = await api.request('/v1alpha/networks', request);
    const [created] = (await kube.list(networkType, {})).items;
    expect([repeated.status, repeated.json.id]).toEqual([201, created && idOf(created)]);
  } finally {
    await other.close();
  }
});
