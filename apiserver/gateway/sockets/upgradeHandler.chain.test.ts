import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { freePort } from '../../../core/lib/testing/freePort.ts';
import {
  adminKey,
  call,
  firstEpochs,
  keyFor,
  post,
  publicKey,
  raw,
  startAnvil,
  startNode,
  startWorld,
  testId,
  testUid,
  type World,
} from '../testing/fixtures.ts';
import { openSocket, refusal } from '../testing/socketFixtures.ts';

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

  it.each(['ws', 'rpc', 'admin', 'admin-ws'])('forwards calls on %s', async (service) => {
    const client = await openSocket(world.url(service));
    expect(await client.ask(call('eth_chainId', [], 3))).toEqual({ jsonrpc: '2.0', id: 3, result: '0x7a69' });
    client.socket.close(1000);
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
  });

  it('sends new blocks to a subscriber', async () => {
    const client = await openSocket(world.url('ws'));
    const { result: subscription } = await client.ask(call('eth_subscribe', ['newHeads']));
    await post(world.url('admin'), call('evm_mine'));
    const { result: number } = (await post(world.url(), call('eth_blockNumber'))).json;
    expect(await client.next()).toMatchObject({ params: { subscription, result: { number } } });
    client.socket.terminate();
  });

  it('refuses more subscriptions than a connection may have, until one is ended', async () => {
    const client = await openSocket(world.url('ws'));
    const subscribe = () => client.ask(call('eth_subscribe', ['logs', {}], 'eth_subscription'));
    const [first] = await Promise.all(Array.from({ length: 16 }, subscribe));
    const refusal = { error: { code: -32005, message: expect.stringContaining('too many subscriptions') } };
    expect(await subscribe()).toMatchObject(refusal);
    expect(await client.ask(call('eth_unsubscribe', ['0x1']))).not.toHaveProperty('result', true);
    expect(await subscribe()).toMatchObject(refusal);
    expect(await client.ask(call('eth_unsubscribe', [first?.result]))).toMatchObject({ result: true });
    expect(await subscribe()).toMatchObject({ result: expect.any(String) });
    expect(await subscribe()).toMatchObject(refusal);
    client.socket.terminate();
  });

  it('refuses admin methods on the public URL, singly and in a batch', async () => {
    const client = await openSocket(world.url('ws'));
    expect(await client.ask(call('evm_mine', [], 1))).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(await client.ask('{"id":1,"method":"eth_chainId","method":"evm_mine"}')).toMatchObject({
      error: { code: -32600 },
    });
    expect(await client.ask('{')).toMatchObject({ id: null, error: { code: -32700 } });
    client.socket.terminate();
  });

  it('answers a batch with refused calls in one message, in the order of its calls', async () => {
    const client = await openSocket(world.url('ws'));
    const batch = ['eth_chainId', 'evm_mine', 'net_version'].map((method, id) => call(method, [], id));
    const answers = [
      { id: 0, result: '0x7a69' },
      { id: 1, error: { code: -32601 } },
      { id: 2, result: '31337' },
    ];
    expect(await client.ask(batch)).toMatchObject(answers);
    expect(await client.ask(batch.slice(1, 2))).toMatchObject(answers.slice(1, 2));
    expect(await client.ask(batch.slice(0, 1))).toMatchObject(answers.slice(0, 1));
    client.socket.terminate();
  });

  it.each(['admin', 'admin-ws'])('lets %s mine', async (service) => {
    const client = await openSocket(world.url(service));
    expect((await client.ask(call('evm_mine'))).error).toBeUndefined();
    client.socket.terminate();
  });

  it('takes JSON in binary frames, and answers with text', async () => {
    const client = await openSocket(world.url('ws'));
    const answered = once(client.socket, 'message');
    client.socket.send(Buffer.from(JSON.stringify(call('eth_chainId', [], 4))));
    const [data, isBinary] = await answered;
    expect(JSON.parse(String(data))).toEqual({ jsonrpc: '2.0', id: 4, result: '0x7a69' });
    expect(isBinary).toBe(false);
    client.socket.terminate();
  });

  it('answers a binary frame that is not text with a parse error, and stays open', async () => {
    const client = await openSocket(world.url('ws'));
    client.socket.send(Buffer.from([0xff, 0xfe]));
    expect(await client.next()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await client.ask(call('eth_chainId'))).toMatchObject({ result: '0x7a69' });
    client.socket.terminate();
  });

  it('refuses messages that are too large', async () => {
    const client = await openSocket(world.url('ws'));
    client.socket.send('x'.repeat(1024 * 1024 + 1));
    expect(await client.closed).toMatchObject({ code: 1009 });
  });

  it('records activity', () => {
    expect(world.active).toEqual([testUid]);
  });

  const closings: [string, Parameters<World['setNetwork']>[0], { code: number; reason: RegExp }][] = [
    ['its network stops', { state: 'Stopping' }, { code: 1001, reason: /stopped/ }],
    ['its network is deleted', { isDeleting: true }, { code: 1001, reason: /deleted/ }],
    ['its network was deleted', undefined, { code: 1001, reason: /deleted/ }],
    [
      'its access key was replaced',
      { accessEpochs: { public: 1, admin: 0 } },
      { code: 1008, reason: /replaced/ },
    ],
    [
      'the replacement of its access key was requested',
      { accessEpochs: { admin: 0 } },
      { code: 1008, reason: /replaced/ },
    ],
  ];
  it.each(closings)('is closed when %s', async (_reason, change, { code, reason }) => {
    world.setNetwork({ state: 'Operational', isDeleting: false });
    const client = await openSocket(world.url('ws'));
    world.setNetwork(change);
    const closed = await client.closed;
    expect(closed.code).toBe(code);
    expect(closed.reason).toMatch(reason);
    world.setNetwork({ state: 'Operational', isDeleting: false, accessEpochs: firstEpochs });
  });

  it('stays open when the other access key is replaced', async () => {
    const client = await openSocket(world.url('ws'));
    world.setNetwork({ accessEpochs: { public: 0, admin: 1 } });
    expect(await client.ask(call('eth_chainId'))).toMatchObject({ result: '0x7a69' });
    client.socket.terminate();
    world.setNetwork({ accessEpochs: firstEpochs });
  });

  it('holds the upgrade until the network is up', async () => {
    world.setNetwork({ state: 'Stopped' });
    const opening = openSocket(world.url('ws'));
    while (world.woken.length === 0) await new Promise(setImmediate);
    world.setNetwork({ state: 'Operational' });
    const client = await opening;
    expect(await client.ask(call('eth_chainId'))).toMatchObject({ result: '0x7a69' });
    client.socket.terminate();
  });
});

describe('refused upgrades', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ host: '127.0.0.1', port: await freePort() }, { limits: { connectMs: 500 } });
  });
  afterAll(() => world.close());

  const other = testId.replace('b', 'c');
  const urls: [string, string, number][] = [
    ['an unknown network', `/rpc/${other}/${publicKey}/ws`, 404],
    [
      'a network that this gateway does not know',
      `/rpc/${other}/${keyFor('public', { scope: { id: other, namespace: 'test' } })}/ws`,
      404,
    ],
    ['a wrong key', `/rpc/${testId}/${adminKey.replace(/^./, '_')}/ws`, 404],
    ['the admin service with the public key', `/rpc/${testId}/${publicKey}/admin`, 404],
    ['an unknown service', `/rpc/${testId}/${publicKey}/graph`, 404],
    ['a path below the service', `/rpc/${testId}/${publicKey}/ws/x`, 404],
    ['a node that does not answer', `/rpc/${testId}/${publicKey}/ws`, 503],
  ];
  it.each(urls)('%s', async (_reason, path, status) => {
    expect(await refusal(world.origin + path)).toBe(status);
  });

  it('another protocol', async () => {
    const path = new URL(world.url('ws')).pathname;
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    expect(await raw(world.origin, head, '}')).toMatch(/^HTTP\/1\.1 400/);
  });

  it('more connections than a network may have', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const upstream = { host: '127.0.0.1', port: (server.address() as { port: number }).port };
    const small = await startWorld(upstream, { limits: { socketsPerNetwork: 1 } });
    const client = await openSocket(small.url('ws'));
    expect(await refusal(small.url('ws'))).toBe(429);
    client.socket.terminate();
    while (!(await small.metricsText()).includes('slipway_rpc_websocket_connections 0'))
      await new Promise(setImmediate);
    expect(await refusal(small.url('ws'))).toBe(101);
    await small.close();
    server.close();
  });

  it('a key that is replaced while the node accepts', async () => {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      verifyClient(_info, accept) {
        small.setNetwork({ accessEpochs: { public: 1, admin: 0 } });
        accept(true);
      },
    });
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const small = await startWorld({ host: '127.0.0.1', port });
    expect(await refusal(small.url('ws'))).toBe(404);
    await small.close();
    server.close();
  });

  it('a node that is not a WebSocket server', async () => {
    const node = await startNode((_request, response) => void response.end());
    world.setUpstream(node);
    expect(await refusal(world.url('ws'))).toBe(503);
    await node.close();
  });
});
