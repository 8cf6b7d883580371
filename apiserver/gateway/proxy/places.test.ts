import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { createManualClock, type ManualClock } from '../../../core/lib/manualClock.ts';
import { noBudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { createNodePlaces } from '../../http/limits/nodePlaces.ts';
import { call, type Node, post, startNode, startWorld, type World } from '../testing/fixtures.ts';
import { openSocket } from '../testing/socketFixtures.ts';

const mebibyte = 1024 * 1024;
const roundTripId = 'round trip';

let clock: ManualClock;
let node: Node;
let nodeSockets: WebSocketServer;
let world: World;
/** Calls that the node has, by their ids, and how to answer each. */
let asked: Map<unknown, ServerResponse>;
let onAsked: () => void;

beforeEach(async () => {
  asked = new Map();
  callers = [];
  onAsked = () => undefined;
  node = await startNode((request, response) => {
    let text = '';
    response.on('error', () => undefined);
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      const { id } = text === '' ? { id: asked.size } : JSON.parse(text);
      if (id === roundTripId) return response.end('{}');
      asked.set(id, response);
      onAsked();
    });
  });
  nodeSockets = new WebSocketServer({ server: node.server });
  clock = createManualClock();
  world = await startWorld(node, { places: createNodePlaces(noBudgetMetrics, clock) });
});
afterEach(async () => {
  for (const socket of nodeSockets.clients) socket.terminate();
  // Calls whose callers have gone would be waited for.
  await Promise.all([node.close(), world.close()]);
});

async function whenAsked(count: number): Promise<void> {
  while (asked.size < count) {
    await new Promise<void>((resolve) => {
      onAsked = resolve;
    });
  }
}

/** A call that needs no room: by its answer, what was sent before has come as far as it comes. */
async function settle(): Promise<void> {
  await post(world.url(), call('eth_getBalance', [], roundTripId));
}

let callers: Socket[];

/** Sends a call, and reads nothing of its answer. */
function askUnread(url: string, body: object): Socket {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  callers.push(socket);
  socket.on('error', () => undefined);
  const text = JSON.stringify(body);
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  return socket;
}

it.each(['eth_getLogs', 'eth_call'])(
  'a node has three %s of one key at a time, and one of another',
  async (method) => {
    const sockets = Array.from({ length: 6 }, (_, id) => askUnread(world.url(), call(method, [{}], id)));
    await whenAsked(3);
    const admin = post(world.url('admin'), call(method, [{}], 'admin'));
    await whenAsked(4);
    expect([...asked.keys()].at(-1)).toBe('admin');
    asked.get('admin')?.end('{}');
    await admin;
    // Whoever else asks with the key of the six waits with them, but not for a short answer.
    await settle();
    expect(asked.size).toBe(4);
    [...asked.values()][0]?.end('{}');
    await whenAsked(5);
    for (const socket of sockets) socket.destroy();
  },
);

it('a caller who does not read an answer that others wait for is disconnected', async () => {
  const sockets = Array.from({ length: 3 }, (_, id) => askUnread(world.url(), call('eth_getLogs', [{}], id)));
  await whenAsked(3);
  const closed = [...asked.values()].map((response) => once(response, 'close'));
  for (const response of asked.values()) pour(response);
  await settle();
  // Nobody else wants anything of the node.
  clock.advance(60_000);
  expect([...asked.values()].every(({ destroyed }) => !destroyed)).toBe(true);
  const waiting = post(world.url(), call('eth_getLogs', [{}], 'waiting'));
  await settle();
  clock.advance(10_000);
  await Promise.all(closed);
  await whenAsked(4);
  asked.get('waiting')?.end('{}');
  expect((await waiting).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

it.each([
  ['takes room', call('eth_getLogs', [{}])],
  ['is worked out', call('eth_feeHistory', ['0x1', 'latest', []])],
])('a call that %s waits once for a network that does not start', async (_what, body) => {
  const held = createManualClock();
  const starting = await startWorld(undefined, { clock: held });
  starting.setNetwork({ state: 'Pending' });
  const asked = post(starting.url(), body);
  while (!/held_requests 1/.test(await starting.metricsText())) await settle();
  held.advance(20_000);
  expect((await asked).status).toBe(503);
  await starting.close();
});

/** Sends an answer without an end. */
function pour(response: ServerResponse | undefined): void {
  if (response?.destroyed === false) response.write(Buffer.alloc(mebibyte), () => pour(response));
}

it('what waits for its own key disconnects nobody with another', async () => {
  const sockets = Array.from({ length: 4 }, (_, id) => askUnread(world.url(), call('eth_getLogs', [{}], id)));
  await whenAsked(3);
  const admin = askUnread(world.url('admin'), call('eth_getLogs', [{}], 'admin'));
  await whenAsked(4);
  for (const response of asked.values()) pour(response);
  await settle();
  const [ofPublic, ofAdmin] = [asked.get(0), asked.get('admin')];
  const closed = ofPublic && once(ofPublic, 'close');
  clock.advance(60_000);
  await closed;
  await settle();
  expect(ofAdmin?.destroyed).toBe(false);
  for (const socket of [...sockets, admin]) socket.destroy();
});

it('a call whose caller has gone has its room until the node has worked it out', async () => {
  for (let id = 0; id < 3; id += 1) askUnread(world.url(), call('eth_call', [{}], id));
  await whenAsked(3);
  const gone = [...asked.values()];
  const closed = gone.map((response) => once(response, 'close'));
  const more = askUnread(world.url(), call('eth_call', [{}], 'more'));
  await settle();
  for (const socket of callers.splice(0, 3)) socket.destroy();
  await settle();
  await settle();
  expect(asked.size).toBe(3);
  // What nobody reads is not sent to the end.
  pour(gone[0]);
  await closed[0];
  await whenAsked(4);
  more.destroy();
  for (const response of gone) response.destroy();
});

it('a call by GET has room once its body has come', async () => {
  world.setNetwork({ type: 'Thorchain' });
  const { hostname, port, pathname } = new URL(world.url());
  const slow = Array.from({ length: 3 }, () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`GET ${pathname}/tx_search?query=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n`);
    return socket;
  });
  await Promise.all(slow.map((socket) => once(socket, 'connect')));
  await post(world.url(), call('status', [], roundTripId));
  const quick = fetch(`${world.url()}/tx_search?query=1`);
  await whenAsked(1);
  [...asked.values()][0]?.end('{}');
  expect((await quick).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

it('calls by GET have the same room', async () => {
  world.setNetwork({ type: 'Thorchain' });
  const { hostname, port, pathname } = new URL(world.url());
  const sockets = Array.from({ length: 6 }, () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`GET ${pathname}/tx_search?query=1 HTTP/1.1\r\nHost: a\r\n\r\n`);
    return socket;
  });
  await whenAsked(3);
  await post(world.url(), call('status', [], roundTripId));
  expect(asked.size).toBe(3);
  for (const socket of sockets) socket.destroy();
});

describe('over WebSockets', () => {
  it('an answer ends its call, whatever id the caller has chosen', async () => {
    nodeSockets.on('connection', (socket) => {
      socket.on('message', (text) => {
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(String(text)).id, result: '0x' }));
      });
    });
    const { socket, ask } = await openSocket(world.url('ws'));
    for (let count = 0; count < 6; count += 1) {
      expect(await ask(call('eth_call', [{}], 'eth_subscription'))).toMatchObject({ result: '0x' });
    }
    socket.terminate();
  });

  it('calls of a connection that has gone have their room until they are answered', async () => {
    const toNode: WebSocket[] = [];
    nodeSockets.on('connection', (socket) => socket.on('message', () => toNode.push(socket)));
    const clients = await Promise.all([1, 2, 3].map(() => openSocket(world.url('ws'))));
    for (const { socket } of clients) socket.send(JSON.stringify(call('eth_call', [{}])));
    while (toNode.length < 3) await settle();
    for (const { socket } of clients) socket.terminate();
    await Promise.all(clients.map(({ closed }) => closed));
    const waiting = post(world.url(), call('eth_call', [{}], 'waiting'));
    await settle();
    await settle();
    expect(asked.size).toBe(0);
    const left = Promise.all(toNode.map((socket) => once(socket, 'close')));
    for (const socket of toNode) socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x' }));
    await left;
    await whenAsked(1);
    asked.get('waiting')?.end('{}');
    expect((await waiting).status).toBe(200);
  });

  it('calls that wait for room are not made for a connection that has gone', async () => {
    for (let id = 0; id < 3; id += 1) askUnread(world.url(), call('eth_call', [{}], id));
    await whenAsked(3);
    const { socket, closed } = await openSocket(world.url('ws'));
    socket.send(JSON.stringify(Array.from({ length: 5 }, (_, id) => call('eth_call', [{}], id))));
    for (let count = 0; count < 3; count += 1) await settle();
    socket.terminate();
    await closed;
    for (let count = 0; count < 3; count += 1) await settle();
    expect(asked.size).toBe(3);
  });

  it('a connection whose calls keep others waiting for minutes is closed', async () => {
    let count = 0;
    nodeSockets.on('connection', (socket) => socket.on('message', () => (count += 1)));
    const { socket, closed } = await openSocket(world.url('ws'));
    for (let id = 0; id < 3; id += 1) socket.send(JSON.stringify(call('eth_getLogs', [{}], id)));
    while (count < 3) await settle();
    const waiting = post(world.url(), call('eth_getLogs', [{}], 'waiting'));
    await settle();
    clock.advance(120_000);
    expect(await closed).toMatchObject({
      code: 1013,
      reason: expect.stringContaining('kept others waiting'),
    });
    await whenAsked(1);
    asked.get('waiting')?.end('{}');
    await waiting;
  });
});
