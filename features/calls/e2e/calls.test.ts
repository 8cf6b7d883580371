import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../../../e2e/lib/networks.ts';
import { call, until } from '../../../e2e/lib/service.ts';

interface Shown {
  method?: string;
  key: string;
  error?: { code?: number };
}

const count = 20;

describe('the calls to a network', () => {
  let id: string;
  let rpc: string;
  beforeAll(async () => {
    ({ id } = (await createNetwork({ privateKeyRef: { name: (await createHotKey()).name } })).body);
    await reach(id, 'Operational');
    ({ rpc = '' } = await endpointsOf(id));
  });
  afterAll(() => remove(id));

  const ask = async (method: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
    // A connection of its own, so that each replica gets some.
    const headers = { 'Content-Type': 'application/json', Connection: 'close' };
    await (await fetch(rpc, { method: 'POST', headers, body })).text();
  };
  const list = (query = '') => call('GET', `/v1alpha/networks/${id}/calls${query}`);
  const turn = (enabled: boolean) => call('PUT', `/v1alpha/networks/${id}/calls`, { body: { enabled } });

  it('are kept once that is switched on, whichever replica had them, and forgotten afterwards', async () => {
    await ask('eth_chainId');
    expect((await list()).body).toMatchObject({ enabled: false, items: [] });
    expect((await turn(true)).status).toBe(200);
    // Each replica follows its watch.
    await until(
      'both replicas to keep calls',
      async () => {
        const before = (await list('?limit=1000')).body.items.length;
        for (let index = 0; index < count; index++) await ask('eth_gasPrice');
        return (await list('?limit=1000')).body.items.length - before;
      },
      (found) => found === count,
    );
    for (let index = 0; index < count; index++) await ask('eth_blockNumber');
    await ask('eth_doesNotExist');
    const { items, missingReplicas } = (await list('?limit=1000')).body;
    expect(missingReplicas).toBe(0);
    expect(items.filter(({ method }: Shown) => method === 'eth_blockNumber')).toHaveLength(count);
    const failed: Shown[] = (await list('?failed=true')).body.items;
    expect(failed.map(({ method, key }) => [method, key])).toEqual([['eth_doesNotExist', 'public']]);
    expect((await call('GET', `/v1alpha/networks/${id}`)).body.status.state).toBe('Operational');
    await turn(false);
    expect((await list()).body).toMatchObject({ enabled: false, items: [] });
  });
});
