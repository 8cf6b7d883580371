import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { createOriginPools } from './originPools.ts';

let pools: Dispatcher;
let servers: Server[];
beforeEach(() => {
  pools = createOriginPools({ connections: 2, pipelining: 1, allowH2: false });
  servers = [];
});
afterEach(async () => {
  await pools.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function startServer(name: string, port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer((_message, response) => void response.end(name)).listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

const ask = async (port: number): Promise<string> => {
  const { body } = await request(`http://127.0.0.1:${port}/`, { dispatcher: pools });
  return body.text();
};

test('each origin is answered by its own server, over connections that stay', async () => {
  const [one, other] = [await startServer('one'), await startServer('other')];
  const sockets = new Set<unknown>();
  one.server.on('connection', (socket) => sockets.add(socket));
  for (let turn = 0; turn < 3; turn += 1) {
    expect([await ask(one.port), await ask(other.port)]).toEqual(['one', 'other']);
  }
  expect(sockets.size).toBe(1);
});

test('an origin has at most as many connections as it may', async () => {
  const { server, port } = await startServer('busy');
  let sockets = 0;
  server.on('connection', () => {
    sockets += 1;
  });
  expect(await Promise.all(Array.from({ length: 10 }, () => ask(port)))).toEqual(Array(10).fill('busy'));
  expect(sockets).toBe(2);
});

test('an origin without connections is forgotten, and connected again when it is asked again', async () => {
  const { server, port } = await startServer('first');
  await ask(port);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await expect(ask(port)).rejects.toThrow();
  await startServer('again', port);
  expect(await ask(port)).toBe('again');
});

test('calls that wait while the last connection breaks are answered', async () => {
  const { server, port } = await startServer('broken');
  server.removeAllListeners('request');
  let calls = 0;
  server.on('request', (message, response) => {
    calls += 1;
    if (calls <= 2) message.socket.destroy();
    else response.end('mended');
  });
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => ask(port)));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array(4).fill('fulfilled'),
    ...Array(2).fill('rejected'),
  ]);
});

test('once it is destroyed, no connection is left', async () => {
  const { server, port } = await startServer('left');
  const closed = new Promise((resolve) => {
    server.on('connection', (socket) => socket.once('close', resolve));
  });
  await ask(port);
  await pools.destroy();
  await closed;
});
