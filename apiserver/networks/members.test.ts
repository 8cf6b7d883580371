import { type NetworkApi, spec, startNetworkApi } from '../testing/networkApi.ts';

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

const over = (...names: string[]) => ({
  chain: { type: 'LayerZero', layerzero: { networks: names.map((name) => ({ networkRef: { name } })) } },
});
const post = (name: string, wanted: object) =>
  api.request('/v1alpha/networks', { body: { name, spec: wanted } });

describe('a LayerZero network', () => {
  it('is created with members of the workspace', async () => {
    for (const name of ['a', 'b']) await api.create(name);
    const { status, json } = await post('mesh', over('a', 'b'));
    expect(status).toBe(201);
    expect(json.spec).toEqual(over('a', 'b'));
  });

  it('with members that do not exist or are in another workspace is 400 with the same message for each', async () => {
    await api.create('a');
    await api.request('/v1alpha/networks', { body: { name: 'foreign', spec }, as: 'ben' });
    const { status, json } = await post('mesh', over('a', 'nowhere', 'foreign'));
    expect(status).toBe(400);
    const unknown = (name: string) => `network "${name}" not found in this workspace: create it first`;
    expect(json.details).toEqual([
      { path: 'spec.chain.layerzero.networks[1].networkRef.name', message: unknown('nowhere') },
      { path: 'spec.chain.layerzero.networks[2].networkRef.name', message: unknown('foreign') },
    ]);
    expect(await api.stored('mesh')).toBeUndefined();
  });

  it('with another LayerZero network as a member is 400', async () => {
    for (const name of ['a', 'b']) await api.create(name);
    await post('mesh', over('a', 'b'));
    const { json } = await post('second', over('a', 'mesh'));
    expect(json.details).toEqual([
      {
        path: 'spec.chain.layerzero.networks[1].networkRef.name',
        message: 'the network "mesh" is of type LayerZero: members must be EVM networks',
      },
    ]);
  });

  it('prevents the deletion of its members', async () => {
    const { id: a } = await api.create('a');
    const { id: b } = await api.create('b');
    const { id: c } = await api.create('c');
    const { id: mesh } = (await post('mesh', over('a', 'b'))).json;
    const refused = await api.remove(a);
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain('"mesh"');
    expect((await api.remove(c)).status).toBe(200);
    expect((await api.remove(mesh)).status).toBe(200);
    for (const id of [a, b]) expect((await api.remove(id)).status).toBe(200);
  });
});
