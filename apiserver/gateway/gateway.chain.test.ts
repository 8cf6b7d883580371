import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  adminKey,
  call,
  post,
  publicKey,
  raw,
  startAnvil,
  startWorld,
  testUid,
  type World,
} from './testing/fixtures.ts';

const cast = promisify(execFile);

describe('with a real anvil behind it', () => {
  let world: World;
  let anvil: Awaited<ReturnType<typeof startAnvil>>;
  beforeAll(async () => {
    anvil = await startAnvil();
    world = await startWorld(anvil);
  });
  afterAll(async () => {
    await world.close();
    await anvil.close();
  });

  it('forwards calls', async () => {
    const answer = await post(world.url(), call('eth_chainId', [], 'my id'));
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 'my id', result: '0x7a69' });
  });

  it('forwards batches', async () => {
    const answer = await post(world.url(), [call('eth_chainId', [], 1), call('net_version', [], 2)]);
    expect(answer.json).toMatchObject([{ id: 1, result: '0x7a69' }, { id: 2 }]);
  });

  it('forwards notifications, which have no answer', async () => {
    const answer = await post(world.url(), { jsonrpc: '2.0', method: 'eth_chainId' });
    expect(answer).toMatchObject({ status: 204, text: '' });
  });

  it('serves cast', async () => {
    const { stdout } = await cast('node_modules/.bin/cast', ['block-number', '--rpc-url', world.url()]);
    expect(stdout.trim()).toMatch(/^\d+$/);
  });

  it('lets the admin URL mine, and the public URL see it', async () => {
    const before = Number((await post(world.url(), call('eth_blockNumber'))).json.result);
    expect((await post(world.url('admin'), call('anvil_mine', ['0x3']))).json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: null,
    });
    expect(Number((await post(world.url(), call('eth_blockNumber'))).json.result)).toBe(before + 3);
  });

  it('lets the admin key use admin methods on the usual service too', async () => {
    expect((await post(world.url('rpc', adminKey), call('evm_mine'))).json.error).toBeUndefined();
  });

  it('refuses an admin method on the public URL and names the admin URL', async () => {
    const answer = await post(world.url(), call('anvil_mine', [], 7));
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ id: 7, error: { code: -32601 } });
    expect(answer.json.error.message).toMatch(/anvil_mine is not available on the public URL.*admin URL/);
    expect(answer.text).not.toContain(adminKey);
  });

  const disguised: [string, string][] = [
    ['an escape in the method', '{"jsonrpc":"2.0","id":1,"method":"\\u0061nvil_mine","params":[]}'],
    ['an escape in a name', '{"jsonrpc":"2.0","id":1,"\\u006dethod":"anvil_mine","params":[]}'],
    ['two methods', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":"anvil_mine","params":[]}'],
    ['other case', '{"jsonrpc":"2.0","id":1,"method":"ANVIL_mine","params":[]}'],
    ['a batch in a batch', '[[{"jsonrpc":"2.0","id":1,"method":"anvil_mine","params":[]}]]'],
    ['two texts', '{"id":1,"method":"eth_chainId"}\n{"jsonrpc":"2.0","id":1,"method":"anvil_mine"}'],
  ];
  it.each(disguised)('does not run an admin method disguised by %s', async (_reason, body) => {
    const before = (await post(world.url(), call('eth_blockNumber'))).json.result;
    expect((await post(world.url(), body)).text).toMatch(/"error":\{"code":-32(600|601|700)/);
    expect((await post(world.url(), call('eth_blockNumber'))).json.result).toBe(before);
  });

  it('never lets the node fetch a URL, whoever the caller is', async () => {
    for (const method of ['anvil_reset', 'hardhat_reset', 'anvil_setRpcUrl', 'anvil_nodeInfo']) {
      const answer = await post(
        world.url('admin'),
        call(method, [{ forking: { jsonRpcUrl: world.origin } }]),
      );
      expect(answer.json).toMatchObject({ error: { code: -32601 } });
    }
  });

  it('answers the refused items of a batch itself and forwards the others', async () => {
    const answer = await post(world.url(), [call('anvil_mine', [], 1), call('eth_chainId', [], 2), 5]);
    expect(answer.json).toMatchObject([
      { id: 1, error: { code: -32601 } },
      { id: 2, result: '0x7a69' },
      { id: null, error: { code: -32600 } },
    ]);
  });

  it('takes storage keys of any length for a proof', async () => {
    const address = '0x0000000000000000000000000000000000000001';
    const proofs = await Promise.all(
      ['0x0', '0x', `0x${'0'.repeat(64)}`].map((key) =>
        post(world.url(), call('eth_getProof', [address, [key, '0x01'], 'latest'])),
      ),
    );
    const [first] = proofs;
    expect(first?.json.result.storageProof).toHaveLength(2);
    expect(proofs.map(({ json }) => json)).toEqual([first?.json, first?.json, first?.json]);
  });

  const hash = `0x${'1'.repeat(64)}`;
  it.each([
    ['debug_traceTransaction', [hash]],
    ['debug_traceTransaction', [hash, {}]],
    ['debug_traceTransaction', [hash, { tracer: null, enableMemory: true }]],
    ['debug_traceBlockByNumber', ['0x0']],
  ])('says that %s needs a tracer instead of showing no steps: %j', async (method, params) => {
    const { error } = (await post(world.url(), call(method, params))).json;
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('callTracer') });
  });

  it('forwards a trace with a tracer, and every trace to a client of the public chain', async () => {
    const admin = async (method: string, ...params: unknown[]) =>
      (await post(world.url('admin'), call(method, params))).json.result;
    const from = `0x${'2'.repeat(40)}`;
    await admin('anvil_setBalance', from, '0xde0b6b3a7640000');
    await admin('anvil_impersonateAccount', from);
    const sent = await admin('eth_sendTransaction', { from, to: from });
    const answerTo = async (...options: unknown[]) =>
      (await post(world.url(), call('debug_traceTransaction', [sent, ...options]))).text;
    expect(await answerTo()).toContain('needs a tracer');
    expect(await answerTo({ tracer: 'callTracer' })).toContain('"result"');
    world.setNetwork({ participants: 1 });
    expect(await answerTo()).not.toContain('needs a tracer');
    world.setNetwork({ participants: 0 });
  });

  it('sends what is not a storage key as it is', async () => {
    for (const params of [[], ['0x1', '0x0'], ['0x1', [5, null]], ['0x1', ['0xg', `0x${'0'.repeat(65)}`]]]) {
      expect((await post(world.url(), call('eth_getProof', params))).json.error.code).toBe(-32602);
    }
  });

  it.each(['public', 'admin'])(
    'tells a tool on the %s URL that it mines at once, and no URL',
    async (url) => {
      const service = url === 'admin' ? 'admin' : 'rpc';
      expect((await post(world.url(service), call('hardhat_getAutomine'))).json.result).toBe(true);
      const metadata = await post(world.url(service), call('hardhat_metadata'));
      expect(metadata.json.result).toMatchObject({
        chainId: 31337,
        instanceId: expect.stringMatching(/^0x/),
      });
      expect(metadata.text).not.toMatch(/https?:/);
    },
  );

  it('answers a batch of only refused items itself', async () => {
    const answer = await post(world.url(), [call('anvil_mine', [], 1), call('admin_addPeer', [], 2)]);
    expect(answer.json).toMatchObject([
      { id: 1, error: {} },
      { id: 2, error: {} },
    ]);
  });

  it('records activity once a minute', async () => {
    expect(world.active).toEqual([testUid]);
  });

  it('counts by service and outcome', async () => {
    const text = await world.metricsText();
    expect(text).toMatch(/slipway_rpc_requests_total\{service="rpc",outcome="ok"\} \d+/);
    expect(text).toMatch(/slipway_rpc_requests_total\{service="admin",outcome="refused"\} 4/);
    expect(text).not.toContain(publicKey);
  });

  it('keeps a connection open after refusals', async () => {
    const body = JSON.stringify(call('anvil_mine'));
    const request = (path: string, text: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    const path = new URL(world.url()).pathname;
    const last = JSON.stringify(call('eth_chainId'));
    const bytes = request('/rpc/none', body) + request(path, body) + request(path, last);
    const text = await raw(world.origin, bytes, '0x7a69');
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200', 'HTTP/1.1 200']);
  });
});
