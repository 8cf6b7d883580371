import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { createMetrics } from '../../../core/lib/metrics.ts';
import {
  type BudgetMetrics,
  budgetMetricTable,
  createBudgetMetrics,
} from '../../http/limits/budgetMetrics.ts';
import type { MemoryBudget } from '../../http/limits/memoryBudget.ts';
import { call, type Node, post, startNode, startWorld, testUid, type World } from '../testing/fixtures.ts';
import { openSocket, type SocketClient } from '../testing/socketFixtures.ts';

/** What a holder of one public URL can do to the networks of others. */

const mebibyte = 1024 * 1024;
const memoryBytes = 16 * mebibyte;
/** What a network that is alone may hold. */
const share = memoryBytes / 4;

let node: Node;
let nodeSockets: WebSocketServer;
let world: World;
let budgets: BudgetMetrics;
let held: () => Promise<number>;
let refused: (budget: string) => Promise<number>;

beforeEach(async () => {
  node = await startNode((request, response) =>
    request.resume().on('end', () => response.end('{"result":1}')),
  );
  nodeSockets = new WebSocketServer({ server: node.server });
  nodeSockets.on('connection', (socket) => socket.on('message', () => socket.send('{"id":1,"result":1}')));
  const metrics = createMetrics([budgetMetricTable]);
  budgets = createBudgetMetrics(metrics);
  world = await startWorld(node, { limits: { memoryBytes }, budgets });
  const read = async (line: string) => {
    const { text } = await metrics.scrape();
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(line))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  };
  held = () => read('slipway_request_memory_bytes');
  refused = (budget) => read(`slipway_budget_refusals_total{budget="${budget}"}`);
});
afterEach(async () => {
  for (const socket of nodeSockets.clients) socket.terminate();
  await world.close();
  await node.close();
});

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** An upload that stalls after `bytes`. */
function stalledUpload(bytes: number, onAnswer: (text: string) => void): Socket {
  const { hostname, port, pathname } = new URL(world.url());
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.on('data', (text) => onAnswer(String(text)));
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: ${mebibyte}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes, 0x20));
  return socket;
}

it('stalled uploads to one network hold a quarter of the memory, and another network answers', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<string>();
  const uploads = Array.from({ length: 40 }, () => stalledUpload(mebibyte - 1000, resolve));
  const answer = await answered;
  expect(answer).toMatch(/^HTTP\/1\.1 503/);
  expect(answer).toContain('Retry-After: 1');
  expect(answer).toContain('this network hold its share of the request memory');
  expect(await held()).toBeLessThanOrEqual(share + mebibyte);
  const body = { ...call('eth_call'), params: ['x'.repeat(mebibyte / 2)] };
  expect((await post(world.neighbourUrl(), body)).status).toBe(200);
  for (const upload of uploads) upload.destroy();
  await until(async () => (await held()) === 0);
});

it('calls and WebSockets count for the workspace of their network', async () => {
  const opened: unknown[][] = [];
  const memory: MemoryBudget = {
    open(...holder) {
      opened.push(holder);
      return { take: () => undefined, give: () => undefined, release: () => undefined };
    },
  };
  const counted = await startWorld(node, { memory });
  await post(counted.url(), call('eth_chainId'));
  const { socket } = await openSocket(counted.url('ws'));
  const holder = ['network', testUid, 'test'];
  expect(opened).toEqual([holder, holder]);
  socket.terminate();
  await counted.close();
});

/** Sends another call over the same connection, or the first one. Nothing is read of the answers. */
function askUnread(of: World, before?: Socket): Socket {
  const { hostname, port, pathname } = new URL(of.url());
  const socket = before ?? connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  const body = JSON.stringify(call('eth_chainId'));
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return socket;
}

it('answers that the node has given, and that wait for the caller, count as memory of the network', async () => {
  const first: ServerResponse[] = [];
  node.server.removeAllListeners('request').on('request', (request, response) => {
    request.resume();
    // The first answer on each connection does not come, so that the second has to wait.
    if (first.length < 4) first.push(response);
    else response.end('x'.repeat(60_000));
  });
  const sockets = Array.from({ length: 4 }, () => askUnread(world));
  while (first.length < 4) await new Promise(setImmediate);
  for (const socket of sockets) askUnread(world, socket);
  await until(async () => (await held()) > 200_000);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await held()) === 0);
});

it('callers who do not read long answers hold no more than the share of their network', async () => {
  const small = await startWorld(node, { limits: { memoryBytes: 2 * mebibyte }, budgets });
  node.server.removeAllListeners('request').on('request', (request, response) => {
    request.resume();
    response.on('error', () => undefined);
    const pour = () => void (response.destroyed || response.write(Buffer.alloc(mebibyte), pour));
    pour();
  });
  const sockets = Array.from({ length: 6 }, () => askUnread(small));
  await until(async () => (await refused('memory')) > 0);
  expect(await held()).toBeLessThanOrEqual(mebibyte / 2);
  for (const socket of sockets) socket.destroy();
  await small.close();
});

/** A client that has begun a message and never ends it. */
async function unfinishedFrame(bytes: number, of: World = world): Promise<SocketClient> {
  const client = await openSocket(of.url('ws'));
  beginMessage(rawOf(client.socket), bytes);
  return client;
}

function beginMessage(socket: Socket, bytes: number): void {
  const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(mebibyte - 1, 6);
  socket.write(Buffer.concat([head, Buffer.alloc(bytes)]));
}

/** The connection below a WebSocket: what is written to it is not framed. */
function rawOf(socket: WebSocket): Socket {
  const { _socket: connection } = socket as unknown as { _socket: Socket };
  return connection;
}

it('unfinished WebSocket messages are closed with 1013 when the network holds its share, and another network keeps working', async () => {
  const neighbour = await openSocket(world.neighbourUrl('ws'));
  const clients: SocketClient[] = [];
  for (let index = 0; index < 4; index += 1) clients.push(await unfinishedFrame(900_000));
  await until(async () => (await held()) > share - mebibyte);
  const more = await Promise.allSettled([unfinishedFrame(900_000), unfinishedFrame(900_000)]);
  for (const one of more) if (one.status === 'fulfilled') clients.push(one.value);
  const { code, reason } = await Promise.race(clients.map(({ closed }) => closed));
  expect(code).toBe(1013);
  expect(reason).toContain('holds its share of the memory');
  expect(await held()).toBeLessThanOrEqual(share + mebibyte);
  expect(await neighbour.ask(call('eth_chainId'))).toEqual({ id: 1, result: 1 });
  for (const { socket } of [...clients, neighbour]) socket.terminate();
  await until(async () => (await held()) === 0);
});

it('a message that is never finished ends its connection', async () => {
  const impatient = await startWorld(node, { limits: { pingMs: 100 } });
  const { closed } = await unfinishedFrame(100_000, impatient);
  expect((await closed).code).toBe(1006);
  await impatient.close();
});

it('a client that goes on sending after it was told to close holds no more than the share of its network', async () => {
  const clients = await Promise.all(Array.from({ length: 12 }, () => openSocket(world.url('ws'))));
  const sockets = clients.map(({ socket }) => rawOf(socket));
  for (const socket of sockets) {
    // The close frame is not read, and not answered.
    socket.removeAllListeners('data').resume();
    socket.on('error', () => undefined);
  }
  for (const { socket } of clients) socket.on('error', () => undefined);
  const cut = new Promise((resolve) => {
    for (const socket of sockets) socket.once('close', resolve);
  });
  world.setNetwork({ state: 'Stopped' });
  for (const socket of sockets) beginMessage(socket, 900_000);
  await cut;
  expect(await held()).toBeLessThanOrEqual(share + mebibyte);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await held()) === 0);
  // Long before the closing handshake is over, which takes 30 s.
});

it('a client that finishes its messages holds no more than the last of them', async () => {
  const client = await openSocket(world.url('ws'));
  const text = JSON.stringify({ ...call('eth_call'), params: ['x'.repeat(mebibyte / 2)] });
  for (let message = 0; message < 20; message += 1) await client.ask(text);
  expect(await held()).toBeLessThan(mebibyte / 4);
  client.socket.terminate();
});

it('clients that do not read what the node sends hold no more than the share of their network', async () => {
  nodeSockets.removeAllListeners('connection');
  nodeSockets.on('connection', (socket) => {
    const pour = (error?: Error) => void (error || socket.send('x'.repeat(mebibyte), pour));
    socket.on('message', () => Array.from({ length: 8 }, () => pour()));
  });
  const clients = await Promise.all(Array.from({ length: 8 }, () => openSocket(world.url('ws'))));
  for (const { socket } of clients) {
    socket.pause();
    socket.send(JSON.stringify(call('eth_call')));
  }
  await until(async () => (await refused('memory')) > 0);
  expect(await held()).toBeLessThanOrEqual(share + mebibyte);
  for (const { socket } of clients) socket.terminate();
});

it('300 subscribers are told to connect again when the replica ends, and are closed', async () => {
  const whole = await startWorld(node);
  const clients = await Promise.all(Array.from({ length: 300 }, () => openSocket(whole.url('ws'))));
  await whole.closeGateway();
  const closings = await Promise.all(clients.map(({ closed }) => closed));
  expect(new Set(closings.map(({ code }) => code))).toEqual(new Set([1012]));
  await whole.close();
});

it('connections with one key leave some to the others of its network', async () => {
  const small = await startWorld(node, { limits: { socketsPerNetwork: 8 } });
  const clients = await Promise.all(Array.from({ length: 7 }, () => openSocket(small.url('ws'))));
  await expect(openSocket(small.url('ws'))).rejects.toThrow('429');
  clients.push(await openSocket(small.url('admin-ws')));
  for (const { socket } of clients) socket.terminate();
  await small.close();
});

it('connections from one address are limited over all networks', async () => {
  const small = await startWorld(node, { limits: { socketsPerSource: 1 } });
  const client = await openSocket(small.url('ws'));
  const socket = new WebSocket(small.neighbourUrl('ws').replace(/^http/, 'ws'));
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(429);
  socket.terminate();
  client.socket.terminate();
  await small.close();
});
