import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi } from '../testing/harness.ts';
import { spec } from '../testing/networkApi.ts';

const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws' }];
let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users, isAnnouncing: true });
});
afterEach(() => api.close());

/** What a request asks of kube-apiserver. */
async function callsOf(path: string, options: Parameters<TestApi['request']>[1] = {}): Promise<string[]> {
  const before = kube.requests.length;
  const { status, text } = await api.request(path, options);
  if (status >= 300) throw new Error(text);
  return kube.requests.slice(before).map(({ verb, kind }) => `${verb} ${kind}`);
}

const create = (name: string) => callsOf('/v1alpha/networks', { body: { name, spec } });

test('a create is one create; the first in a while announces beside it that this replica writes', async () => {
  expect((await create('a')).toSorted()).toEqual(['create Lease', 'create Network', 'get Lease']);
  expect(await create('b')).toEqual(['create Network']);
  const { json } = await api.request('/v1alpha/networks');
  const [id] = json.items.map((item: { id: string }) => item.id);
  expect(await callsOf(`/v1alpha/networks/${id}`, { method: 'DELETE' })).toEqual([
    'get Network',
    // Whether other networks need it.
    'get Lease',
    'delete Network',
    'get Network',
  ]);
});

test('the first list asks what is there, the next ones only who writes, whatever this replica wrote', async () => {
  expect(await callsOf('/v1alpha/networks')).toEqual(['list Network', 'list Network']);
  expect(await callsOf('/v1alpha/networks?limit=50')).toEqual(['get Lease']);
  await create('a');
  expect(await callsOf('/v1alpha/networks')).toEqual(['get Lease']);
});

test('a list of one replica shows what another one created and deleted', async () => {
  const other = await startTestApi({ kube, users, isAnnouncing: true });
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
