import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';
import { call, startWorld, type World } from '../testing/fixtures.ts';
import { openSocket } from '../testing/socketFixtures.ts';

describe('with a node controlled by the test', () => {
  let server: WebSocketServer;
  let world: World;
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const upstream = { host: '127.0.0.1', port: (server.address() as { port: number }).port };
    world = await startWorld(upstream);
  });
  afterEach(async () => {
    for (const socket of server.clients) socket.terminate();
    await world.close();
    server.close();
  });
  const openBoth = async () => {
    const connected = once(server, 'connection') as Promise<[WebSocket, { headers: object }]>;
    const client = await openSocket(world.url('ws'));
    const [node, request] = await connected;
    return { client, node, request };
  };

  it('forwards no header of the client to the node', async () => {
    const { request, client } = await openBoth();
    expect(Object.keys(request.headers).sort()).toEqual([
      'connection',
      'host',
      'sec-websocket-key',
      'sec-websocket-version',
      'upgrade',
    ]);
    client.socket.terminate();
  });

  it('carries what the node says as soon as it accepts, before the client says anything', async () => {
    const texts = Array.from({ length: 100 }, (_, id) => JSON.stringify({ id }));
    server.once('connection', (node: WebSocket) => {
      for (const text of texts) node.send(text);
    });
    const client = await openSocket(world.url('ws'));
    for (const text of texts) expect(JSON.stringify(await client.next())).toBe(text);
    client.socket.terminate();
  });

  it('gives others a turn between the messages of a connection, in both directions', async () => {
    const { client, node } = await openBoth();
    const count = 500;
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    let echoed = 0;
    node.on('message', () => {
      echoed += 1;
    });
    turn();
    for (let id = 0; id < count; id += 1) node.send(JSON.stringify({ id }));
    for (let id = 0; id < count; id += 1) await client.next();
    expect(turns).toBeGreaterThanOrEqual(count);
    turns = 0;
    for (let id = 0; id < count; id += 1) client.socket.send(JSON.stringify(call('eth_chainId', [], id)));
    while (echoed < count) await once(node, 'message');
    expect(turns).toBeGreaterThanOrEqual(count);
    isOver = true;
    client.socket.terminate();
  });

  it('carries the close code and reason of the node to the client', async () => {
    const { client, node } = await openBoth();
    node.close(4001, 'enough');
    expect(await client.closed).toEqual({ code: 4001, reason: 'enough' });
  });

  it('carries the close code and reason of the client to the node', async () => {
    const { client, node } = await openBoth();
    client.socket.close(4002, 'done');
    const [code, reason] = await once(node, 'close');
    expect([code, String(reason)]).toEqual([4002, 'done']);
  });

  it('tells the client to reconnect if the node disconnects', async () => {
    const { client, node } = await openBoth();
    node.terminate();
    expect(await client.closed).toMatchObject({ code: 1012 });
  });

  it('closes the connection to the node if the client disconnects', async () => {
    const { client, node } = await openBoth();
    client.socket.terminate();
    await once(node, 'close');
  });

  it('stops reading from the node while the client does not read', async () => {
    const { client, node } = await openBoth();
    client.socket.pause();
    const text = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 64; i++) node.send(text);
    let before = -1;
    while (node.bufferedAmount !== before) {
      before = node.bufferedAmount;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(before).toBeGreaterThan(32 * text.length);
    client.socket.resume();
    while (node.bufferedAmount > 0) await new Promise(setImmediate);
    client.socket.terminate();
  });

  describe('pings', () => {
    beforeEach(async () => {
      const upstream = { host: '127.0.0.1', port: (server.address() as { port: number }).port };
      await world.close();
      world = await startWorld(upstream, { limits: { pingMs: 50 } });
    });

    it('disconnects a client that does not answer pings', async () => {
      const connected = once(server, 'connection') as Promise<[WebSocket]>;
      const socket = new WebSocket(world.url('ws').replace(/^http/, 'ws'), { autoPong: false });
      await once(socket, 'open');
      const [node] = await connected;
      const [code] = await once(socket, 'close');
      expect(code).toBe(1006);
      if (node.readyState !== node.CLOSED) await once(node, 'close');
    });

    it('disconnects a client that is answered by the gateway alone and reads nothing of it', async () => {
      const upstream = { host: '127.0.0.1', port: (server.address() as { port: number }).port };
      await world.close();
      // The client is paused before the first ping.
      world = await startWorld(upstream, { limits: { pingMs: 1000 } });
      const { client, node } = await openBoth();
      const gone = once(node, 'close');
      client.socket.pause();
      const refused = Array.from({ length: 1000 }, (_, id) => call('evm_mine', [], id));
      for (let message = 0; message < 100; message += 1) client.socket.send(JSON.stringify(refused));
      await gone;
      client.socket.terminate();
    });

    it('keeps a client that answers pings', async () => {
      const { client, node } = await openBoth();
      for (let i = 0; i < 4; i++) await once(client.socket, 'ping');
      node.send('{"id":1}');
      expect(await client.next()).toEqual({ id: 1 });
      client.socket.terminate();
    });
  });

  it('is closed with 1012, which means connect again, when the gateway closes', async () => {
    const { client, node } = await openBoth();
    const gone = once(node, 'close');
    await world.closeGateway();
    expect(await client.closed).toMatchObject({
      code: 1012,
      reason: expect.stringContaining('connect again'),
    });
    expect((await gone)[0]).toBe(1001);
  });
});
