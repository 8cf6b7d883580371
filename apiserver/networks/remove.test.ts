import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { type NetworkApi, spec, startNetworkApi } from '../testing/networkApi.ts';

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

describe('delete', () => {
  it('answers the network as it was; then it is gone', async () => {
    const { id } = await api.create('a');
    const { status, json } = await api.remove(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, name: 'a', spec });
    expect(await api.stored('a')).toBeUndefined();
    expect((await api.request(`/v1alpha/networks/${id}`)).status).toBe(404);
    expect((await api.remove(id)).status).toBe(404);
    expect((await api.request('/v1alpha/networks')).json.items).toEqual([]);
  });

  it('a second time while the operator still clears up is 409', async () => {
    const metadata = { finalizers: ['slipway.dev/operator'] };
    const { metadata: made } = api.kube.seed(
      networkType,
      aNetwork({ name: 'a', namespace: 'ws-one', metadata }),
    );
    expect((await api.remove(String(made.uid))).status).toBe(200);
    const again = await api.remove(String(made.uid));
    expect(again.status).toBe(409);
    expect((await api.request('/v1alpha/networks', { body: { name: 'a', spec } })).json.message).toContain(
      'still being deleted',
    );
  });

  it('of another workspace is 404 and deletes nothing', async () => {
    const { id } = await api.create('a');
    expect((await api.request(`/v1alpha/networks/${id}`, { method: 'DELETE', as: 'ben' })).status).toBe(404);
    expect(await api.stored('a')).toBeDefined();
  });

  it('never hits a namesake that came meanwhile', async () => {
    const { id } = await api.create('a');
    await api.kube.delete(networkType, { namespace: 'ws-one', name: 'a' });
    await api.kube.create(networkType, aNetwork({ name: 'a', namespace: 'ws-one' }));
    expect((await api.remove(id)).status).toBe(404);
    expect(await api.stored('a')).toBeDefined();
  });
});

it('each mutation leaves an audit line, also when it fails; reads leave none', async () => {
  const { id } = await api.create('a');
  await api.request(`/v1alpha/networks/${id}`, { headers: { 'X-Request-ID': 'read-1' } });
  await api.put(id, { name: 'other', spec });
  await api.remove(id);
  expect(
    api.audits.map(({ operation, outcome, objects, user }) => [operation, outcome, objects, user]),
  ).toEqual([
    ['createNetwork', 'ok', `network a (${id})`, 'ann'],
    ['replaceNetwork', 'BadRequest', id, 'ann'],
    ['deleteNetwork', 'ok', `network a (${id})`, 'ann'],
  ]);
});
