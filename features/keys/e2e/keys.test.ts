import { createHotKey, createNetwork, reach, remove } from '../../../e2e/lib/networks.ts';
import { call, freshName } from '../../../e2e/lib/service.ts';

describe('RPC keys with names', () => {
  let id: string;
  const name = freshName('ci');
  beforeAll(async () => {
    ({ id } = (await createNetwork({ privateKeyRef: { name: (await createHotKey()).name } })).body);
    await reach(id, 'Operational');
  });
  afterAll(() => remove(id));

  const ask = async (url: string, method: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
    // A connection of its own, so that each replica gets some.
    const headers = { 'Content-Type': 'application/json', Connection: 'close' };
    const response = await fetch(url, { method: 'POST', headers, body });
    const json = (await response.json()) as { result?: string; error?: { message: string } };
    return { status: response.status, result: json.result, message: json.error?.message };
  };
  const create = (body: object) => call('POST', `/v1alpha/networks/${id}/keys`, { body });
  const revoke = () => call('DELETE', `/v1alpha/networks/${id}/keys/${name}`);

  it('work at once on every replica, for their methods, until they are revoked for good', async () => {
    const { status, body } = await create({ name, methods: ['eth_chainId'] });
    expect([status, body.state]).toEqual([201, 'Active']);
    const { rpc } = body.endpoints;
    for (let index = 0; index < 10; index++) expect((await ask(rpc, 'eth_chainId')).result).toBeDefined();
    expect((await ask(rpc, 'eth_blockNumber')).message).toContain(`the key "${name}" may only call`);
    expect((await revoke()).status).toBe(200);
    for (let index = 0; index < 10; index++) {
      const refused = await ask(rpc, 'eth_chainId');
      expect([refused.status, refused.message]).toEqual([401, expect.stringContaining('was revoked')]);
    }
    const again = await create({ name });
    expect(again.body.endpoints.rpc).not.toBe(rpc);
    expect((await ask(again.body.endpoints.rpc, 'eth_blockNumber')).result).toBeDefined();
    expect((await ask(rpc, 'eth_chainId')).status).toBe(401);
  });
});
