import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { type NetworkApi, spec, startNetworkApi } from '../testing/networkApi.ts';

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

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

  it('pages through the networks of this workspace by name', async () => {
    for (const name of ['e', 'b', 'd', 'a', 'c']) await api.create(name);
    await api.request('/v1alpha/networks', { body: { name: 'x', spec }, as: 'ben' });
    expect(await walk('limit=2')).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await walk('limit=5')).toEqual([['a', 'b', 'c', 'd', 'e']]);
  });

  const seedMany = (count: number, message = '') => {
    for (let i = 0; i < count; i++) {
      const status = { state: 'Error', message } as const;
      api.kube.seed(networkType, aNetwork({ name: `n${i}`, namespace: 'ws-one', status }));
    }
  };

  it('ends a page by size alone when there is no limit', async () => {
    seedMany(510);
    expect((await walk('')).map(({ length }) => length)).toEqual([510]);
  });

  it('ends a page at its size, with a cursor, when there is no limit', async () => {
    seedMany(4, 'x'.repeat(400 * 1024));
    expect((await walk('')).map(({ length }) => length)).toEqual([2, 2]);
  });

  it.each(['501', '1000000', '9'.repeat(40)])('a limit of %s means 500', async (limit) => {
    seedMany(501);
    expect((await walk(`limit=${limit}`)).map(({ length }) => length)).toEqual([500, 1]);
  });

  it('preserves non-ASCII letters in every request', async () => {
    const status = { message: 'запущено — работает' };
    api.kube.seed(networkType, { ...aNetwork({ name: 'a', namespace: 'ws-one' }), status });
    for (const _time of [1, 2]) {
      const { json } = await api.request('/v1alpha/networks');
      expect(json.items[0].status.message).toBe(status.message);
    }
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
    api.kube.seed(networkType, aNetwork({ name: 'new', namespace }));
    api.kube.seed(networkType, aNetwork({ name: 'up', namespace, status: { state: 'Operational' } }));
    api.kube.seed(
      networkType,
      aNetwork({ name: 'kept', namespace, spec: { persistent: true }, status: { state: 'Error' } }),
    );
    api.kube.seed(
      networkType,
      aNetwork({ name: 'base', namespace, metadata: zoe, spec: base, status: { state: 'Stopped' } }),
    );
    expect(await walk(`limit=1&selector=${encodeURIComponent(selector)}`)).toEqual(
      names.map((name) => [name]),
    );
  });

  it('a cursor is only valid for its own list', async () => {
    for (const name of ['a', 'b']) await api.create(name);
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
