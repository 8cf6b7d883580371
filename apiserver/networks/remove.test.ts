import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { type NetworkApi, spec, startNetworkApi } from '../testing/networkApi.ts';

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

describe('delete', () => {
  it('answers with the network as it was, and deletes it', async () => {
    const { id } = await api.create('a');
    const { status, json } = await api.remove(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, name: 'a', spec });
    expect(await api.stored('a')).toBeUndefined();
    expect((await api.request(`/v1alpha/networks/${id}`)).status).toBe(404);
    expect((await api.remove(id)).status).toBe(404);
    expect((await api.request('/v1alpha/networks')).json.items).toEqual([]);
  });

  it('a second deletion while the operator is still cleaning up is 409', async () => {
    const metadata = { finalizers: ['slipway.dev/operator'] };
    const { metadata: created } = api.kube.seed(
      networkType,
      aNetwork({ name: 'a', namespace: 'ws-one', metadata }),
    );
    expect((await api.remove(String(created.uid))).status).toBe(200);
    const again = await api.remove(String(created.uid));
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

  it('never deletes a new network with the same name', async () => {
    const { id } = await api.create('a');
    await api.kube.delete(networkType, { namespace: 'ws-one', name: 'a' });
    await api.kube.create(networkType, aNetwork({ name: 'a', namespace: 'ws-one' }));
    expect((await api.remove(id)).status).toBe(404);
    expect(await api.stored('a')).toBeDefined();
  });
});

it('each mutation writes an audit line, even if it fails; reads do not', async () => {
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
