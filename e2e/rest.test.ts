import { JsonRpcProvider, parseEther, WebSocketProvider } from 'ethers';
import { runProgram } from './lib/cluster.ts';
import { createHotKey, createNetwork, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { call, freshName, keyPair, serviceUrl } from './lib/service.ts';

const receiver = '0x00000000000000000000000000000000000000A1';

describe('a network used over REST', () => {
  let key: HotKey;
  let id: string;
  let urls: Record<string, string>;
  const name = freshName('rest');

  beforeAll(async () => {
    key = await createHotKey();
  });

  it('is created with 201 immediately, Pending and with its Location', async () => {
    const { status, body, headers } = await createNetwork({ privateKeyRef: { name: key.name } }, name);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'Network',
      version: 'v1alpha',
      name,
      metadata: { name, workspace: 'default' },
    });
    expect(body.status).toMatchObject({ state: 'Pending' });
    expect(headers.get('location')).toContain(body.id);
    expect(headers.get('x-request-id')).toBeTruthy();
    id = body.id;
  });

  it('becomes Operational with all status fields', async () => {
    const { status } = await reach(id, 'Operational');
    expect(status).toMatchObject({
      execution: { currentStep: 4, totalSteps: 4, output: expect.stringContaining(key.wallet.address) },
      chainSpecHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      enclaveID: expect.any(String),
      observedMaintenanceNonce: 0,
      lastActivityAt: expect.stringMatching(/Z$/),
      lastWakeUpAt: expect.stringMatching(/Z$/),
      chainID: expect.stringMatching(/^[0-9]{10}$/),
    });
  });

  it('has endpoints through the gateway', async () => {
    urls = await endpointsOf(id);
    expect(Object.keys(urls).sort()).toEqual(['admin', 'admin-ws', 'rpc', 'verify', 'ws']);
    expect(urls.rpc).toMatch(new RegExp(`^${serviceUrl}/rpc/${id}/`));
  });

  it('mines a transaction signed by ethers with the hot key', async () => {
    const provider = new JsonRpcProvider(urls.rpc);
    const sent = await key.wallet
      .connect(provider)
      .sendTransaction({ to: receiver, value: parseEther('1.5') });
    const receipt = await sent.wait();
    expect(receipt?.status).toBe(1);
    expect(await provider.getBalance(receiver)).toBe(parseEther('1.5'));
    provider.destroy();
  });

  it("mines a transaction signed by Foundry's cast with the hot key and returns its receipt", async () => {
    const to = '0x00000000000000000000000000000000000000A2';
    const args = ['--rpc-url', urls.rpc ?? '', '--private-key', key.wallet.privateKey];
    const sent = await runProgram('cast', ['send', to, '--value', '2ether', '--json', ...args]);
    expect(sent.stderr).toBe('');
    const { transactionHash } = JSON.parse(sent.stdout);
    const receipt = await runProgram('cast', [
      'receipt',
      transactionHash,
      '--json',
      '--rpc-url',
      urls.rpc ?? '',
    ]);
    expect(JSON.parse(receipt.stdout)).toMatchObject({ status: '0x1', to: to.toLowerCase() });
  });

  it('announces new blocks over WebSocket', async () => {
    const provider = new WebSocketProvider(urls.ws ?? '');
    const blocks = new Promise<number>((resolve) => void provider.on('block', resolve));
    await provider.getBlockNumber();
    await key.wallet.connect(provider).sendTransaction({ to: receiver, value: 1n });
    expect(await blocks).toBeGreaterThan(0);
    await provider.destroy();
  });

  it('allows chain manipulation only on its admin URL', async () => {
    const ask = (url = '') =>
      fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: ['0x3'] }),
      }).then((answer) => answer.json());
    expect(await ask(urls.rpc)).toMatchObject({ error: { message: expect.stringMatching(/admin/) } });
    expect(await ask(urls.admin)).toMatchObject({ result: null });
  });

  it('is listed when filtered by state and type', async () => {
    const selector = encodeURIComponent('status.state == Operational && spec.chain.type IN (Ethereum)');
    const { status, body } = await call('GET', `/v1alpha/networks?limit=500&selector=${selector}`);
    expect(status).toBe(200);
    expect(body.items.map((item: { id: string }) => item.id)).toContain(id);
  });

  it('is returned under the gateway prefix and with a key pair as well', async () => {
    const { status, body } = await call('GET', `/network/v1alpha/networks/${id}`, {
      isAnonymous: true,
      headers: keyPair,
    });
    expect(status).toBe(200);
    expect(body.id).toBe(id);
  });

  it('rejects a second network with the same name with 409', async () => {
    const { status, body } = await createNetwork({ privateKeyRef: { name: key.name } }, name);
    expect(status).toBe(409);
    expect(body).toMatchObject({ kind: 'Error', reason: 'Conflict' });
  });

  it('rejects a PUT with a different rev with 409 and accepts the current one', async () => {
    const { body } = await call('GET', `/v1alpha/networks/${id}`);
    const stale = { ...body, metadata: { ...body.metadata, rev: body.metadata.rev + 1 } };
    expect((await call('PUT', `/v1alpha/networks/${id}`, { body: stale })).status).toBe(409);
    expect((await call('PUT', `/v1alpha/networks/${id}`, { body })).status).toBe(200);
  });

  it('is returned when it is deleted, and its pods and endpoints are removed', async () => {
    const { status, body } = await call('DELETE', `/v1alpha/networks/${id}`);
    expect(status).toBe(200);
    expect(body.id).toBe(id);
    await remove(id);
    const rpc = await fetch(urls.rpc ?? '', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
    });
    expect(rpc.status).toBe(404);
  });
});

describe('secrets over REST', () => {
  it('are created, read by their owner, listed and deleted', async () => {
    const name = freshName('secret');
    const data = Buffer.from('correct horse').toString('base64');
    const created = await call('POST', '/v1alpha/secrets', { body: { name, type: 'note', data } });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect((await call('GET', `/v1alpha/secrets/${id}`)).body).toMatchObject({
      id,
      name,
      type: 'note',
      data,
    });
    const selector = encodeURIComponent('type == note');
    const { body } = await call('GET', `/v1alpha/secrets?selector=${selector}`);
    expect(body.items.map((item: { id: string }) => item.id)).toContain(id);
    expect((await call('DELETE', `/v1alpha/secrets/${id}`)).status).toBe(200);
    expect((await call('GET', `/v1alpha/secrets/${id}`)).status).toBe(404);
  });

  it('cannot be deleted while a network refers to them', async () => {
    const key = await createHotKey();
    const { body: network } = await createNetwork({ privateKeyRef: { name: key.name } });
    const { body } = await call('GET', `/v1alpha/secrets?limit=500`).then((answer) =>
      answer.status === 200 ? answer : call('GET', '/v1alpha/secrets'),
    );
    const { id } = body.items.find((item: { name: string }) => item.name === key.name);
    expect((await call('DELETE', `/v1alpha/secrets/${id}`)).status).toBe(409);
    await remove(network.id);
    expect((await call('DELETE', `/v1alpha/secrets/${id}`)).status).toBe(200);
  });

  it('of a key that is base64 of hexadecimal text are stored with a warning', async () => {
    const data = Buffer.from('ab'.repeat(32)).toString('base64');
    const name = freshName('hex');
    const { status, headers } = await call('POST', '/v1alpha/secrets', {
      body: { name, type: 'private-key', data },
    });
    expect([status, headers.get('warning')]).toEqual([201, expect.stringMatching(/hexadecimal/)]);
  });
});
