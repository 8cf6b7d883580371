import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { WebSocketServer } from 'ws';
import { createManualClock } from '../../lib/manualClock.ts';
import { openHeads } from './openHeads.ts';
import { type Head, type Subscription, subscriptions } from './subscriptions.ts';

const { evm } = subscriptions;
if (!evm) throw new Error('EVM chains have subscriptions');

const closeAll: (() => void)[] = [];
afterEach(() => {
  for (const close of closeAll.splice(0)) close();
});

const urlOf = (server: Pick<Server, 'address'>) => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function startNode() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
  closeAll.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await once(server, 'listening');
  return server;
}

/** Subscribes, and tells when something happened. */
function follow(url: string, subscription: Subscription = evm as Subscription) {
  const clock = createManualClock(0);
  const heads: Head[] = [];
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let onHead = (_head: Head) => {};
  const close = openHeads({
    url,
    subscription,
    clock,
    onHead(head) {
      heads.push(head);
      onHead(head);
    },
    onBegin: begun.resolve,
    onEnd: ended.resolve,
  });
  closeAll.push(close);
  const whenHead = (number: string) =>
    new Promise<void>((resolve) => {
      onHead = (head) => head.number === number && resolve();
    });
  return { clock, heads, ended: ended.promise, begun: begun.promise, whenHead };
}

const announced = (block: number, more: object = {}) =>
  JSON.stringify({
    method: 'eth_subscription',
    params: { result: { number: `0x${block.toString(16)}`, hash: '0xab', ...more } },
  });

it('asks for short answers, and tells of the newest block', async () => {
  const node = await startNode();
  const asked: unknown[] = [];
  node.on('connection', (socket) =>
    socket.on('message', (text) => {
      const { id, method, params } = JSON.parse(String(text));
      asked.push([method, params]);
      socket.send(JSON.stringify({ id, result: id === 0 ? '0xcd' : '0x7' }));
    }),
  );
  const { heads, begun, whenHead } = follow(urlOf(node));
  await Promise.all([begun, whenHead('7')]);
  expect(heads).toEqual([{ number: '7' }]);
  // A block lists its transactions: of one with thousands, the text is megabytes long.
  expect(asked).toEqual([
    ['eth_subscribe', ['newHeads']],
    ['eth_blockNumber', []],
  ]);
});

it.each([
  ['one frame', 1],
  ['frames without an end', 1000],
])('ends the subscription of a node that sends too much in %s', async (_name, frames) => {
  const node = await startNode();
  node.on('connection', (socket) => {
    const part = `{"a":[${'{},'.repeat(Math.ceil(20_000 / frames))}`;
    for (let sent = 0; sent < frames; sent += 1) socket.send(part, { fin: frames === 1 });
  });
  const { heads, ended } = follow(urlOf(node));
  await ended;
  expect(heads).toEqual([]);
});

it('takes nothing that is compressed', async () => {
  const node = await startNode();
  const connected = once(node, 'connection');
  follow(urlOf(node));
  const [socket] = await connected;
  expect(socket.extensions).toBe('');
});

it('reads a few messages at once, and of a flood the newest one', async () => {
  const node = await startNode();
  let looked = 0;
  const last = 20_000;
  const counted: Subscription = {
    ...(evm as Subscription),
    headIn(message) {
      looked += 1;
      return evm?.headIn(message);
    },
  };
  const pong = Promise.withResolvers<void>();
  node.on('connection', (socket) => {
    for (let block = 1; block <= last; block += 1) socket.send(announced(block));
    // Its answer says that all before it has been received.
    socket.on('pong', () => pong.resolve());
    socket.ping();
  });
  const { clock, heads, whenHead } = follow(urlOf(node), counted);
  await pong.promise;
  expect(looked).toBeLessThan(100);
  expect(heads.slice(0, 3).map(({ number }) => number)).toEqual(['1', '2', '3']);
  const told = whenHead(String(last));
  clock.advance(1000);
  await told;
  expect(looked).toBeLessThan(101);
});

describe('a node that does not accept the connection', () => {
  it('is left in time', async () => {
    const node = createServer().listen(0, '127.0.0.1');
    closeAll.push(() => node.close());
    await once(node, 'listening');
    const connected = once(node, 'connection');
    const { clock, ended } = follow(urlOf(node));
    const [socket] = await connected;
    closeAll.push(() => socket.destroy());
    await once(socket, 'data');
    socket.write('HTTP/1.1 101 ');
    clock.advance(10_000);
    await ended;
  });

  it('is left when it sends interim answers without an end', async () => {
    const node = createServer((socket) => {
      closeAll.push(() => socket.destroy());
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
    }).listen(0, '127.0.0.1');
    closeAll.push(() => node.close());
    await once(node, 'listening');
    const { ended } = follow(urlOf(node));
    await ended;
  });

  it('is not followed elsewhere', async () => {
    const other = await startNode();
    const connections: unknown[] = [];
    other.on('connection', (socket) => connections.push(socket));
    const node = createHttpServer((_request, response) =>
      response.writeHead(302, { location: urlOf(other) }).end(),
    );
    node.listen(0, '127.0.0.1');
    closeAll.push(() => node.close());
    await once(node, 'listening');
    await follow(urlOf(node)).ended;
    expect(connections).toEqual([]);
  });
});
