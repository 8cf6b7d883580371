import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import type { FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestApi } from '../testing/harness.ts';
import { type NetworkApi, spec, startNetworkApi, unknownId, users } from '../testing/networkApi.ts';

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

describe('read', () => {
  it('returns the status that the operator wrote', async () => {
    const status = {
      state: 'Operational',
      message: 'ok',
      endpoints: { rpc: 'http://x/rpc' },
      accessKeys: { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 0, observedNonce: 0 } },
      chainID: '5',
    } as const;
    const { metadata } = api.kube.seed(networkType, aNetwork({ name: 'a', namespace: 'ws-one', status }));
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

  it.each(['', '/endpoints'])('reading a stopped network (GET …%s) wakes it', async (rest) => {
    const seed = aNetwork({ name: 'a', namespace: 'ws-one', status: { state: 'Stopped' } });
    const { metadata } = api.kube.seed(networkType, seed);
    await api.request(`/v1alpha/networks/${metadata.uid}${rest}`);
    const woken = await eventually(
      () => api.stored('a'),
      (network) => network?.status?.lastActivityAt !== undefined,
    );
    expect(woken?.metadata.annotations).toHaveProperty(['slipway.dev/wake']);
  });

  it('has no endpoints until the operator has set them', async () => {
    const { id } = await api.create('a');
    expect((await api.request(`/v1alpha/networks/${id}/endpoints`)).json.map).toEqual({});
  });

  it('is never answered 304: the status changes while the revision stays', async () => {
    const { id } = await api.create('a');
    const answer = await api.request(`/v1alpha/networks/${id}`, { headers: { 'If-None-Match': '"1"' } });
    expect(answer.status).toBe(200);
  });

  it.each(['', '/endpoints'])(
    'GET …%s of another workspace is 404, like an id that does not exist',
    async (rest) => {
      const { id } = await api.create('a');
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
  ])('an invalid id is 404: %s', async (_reason, id) => {
    for (const method of ['GET', 'DELETE']) {
      expect((await api.request(`/v1alpha/networks/${id}`, { method })).status).toBe(404);
    }
    expect((await api.put(id, { spec })).status).toBe(404);
  });

  it('finds a network that another replica just created, before the watch reports it', async () => {
    const other = await startTestApi({ kube: withoutWatch(api.kube), users });
    const { id } = await api.create('fresh');
    const answers = await Promise.all([1, 2, 3].map(() => other.request(`/v1alpha/networks/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await other.close();
  });
});

/** A replica whose watch has not reported anything since its first list. */
function withoutWatch(base: FakeKube): FakeKube {
  return {
    ...base,
    async *watch(_type, { signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  };
}
