import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemClock } from '../core/lib/clock.ts';
import { createHealthServer } from '../core/lib/http/healthServer.ts';
import { silentLog } from '../core/lib/log.ts';
import { createMetrics } from '../core/lib/metrics.ts';
import { type LifecycleParts, type PhaseHolder, runUntil, whyNotReady } from './lifecycle.ts';
import { createMainServer } from './server.ts';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function setUp() {
  const synced = gate();
  const stop = gate();
  const slow = gate();
  const began = gate();
  const drained = gate();
  const phase: PhaseHolder = { current: 'starting' };
  const happened: string[] = [];
  const server = createMainServer({
    async app(request, response) {
      if (request.url === '/slow') {
        began.open();
        await slow.opened;
      }
      response.end('ok');
    },
    gateway: {
      handle: (_request, response) => void response.end('rpc'),
      handleUpgrade: (_request, socket) => void socket.end('HTTP/1.1 418 \r\n\r\n'),
      close: async () => void happened.push('gateway closed'),
    },
    isDraining: () => phase.current === 'draining',
  });
  const health = createHealthServer({ metrics: createMetrics([]), whyNotReady: () => whyNotReady(phase) });
  const cache = {
    start: () => void happened.push('cache started'),
    whenSynced: () => synced.opened,
    stop: async () => void happened.push('cache stopped'),
  };
  const parts: LifecycleParts = {
    phase,
    caches: [cache],
    health: { server: health, port: 0 },
    servers: [{ server, port: 0 }],
    closeUpgraded: async () => void happened.push('gateway closed'),
    release: async () => void happened.push('released'),
    drainMs: 1000,
    clock: { ...systemClock, sleep: () => drained.opened },
    log: silentLog,
  };
  const ended = runUntil(stop.opened, parts);
  return { synced, stop, slow, began, drained, phase, happened, server, health, ended };
}

const urlOf = (server: Server, path = '/') =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
const listening = (server: Server) => (server.listening ? undefined : once(server, 'listening'));

it('is healthy immediately, but only listens and becomes ready once its caches have synced', async () => {
  const { synced, stop, drained, server, health, ended } = setUp();
  await listening(health);
  expect((await fetch(urlOf(health, '/healthz'))).status).toBe(200);
  expect((await fetch(urlOf(health, '/readyz'))).status).toBe(503);
  expect(server.listening).toBe(false);
  synced.open();
  await listening(server);
  await new Promise(setImmediate);
  expect((await fetch(urlOf(health, '/readyz'))).status).toBe(200);
  expect((await fetch(urlOf(health, '/metrics'))).headers.get('content-type')).toMatch(
    /text\/plain|openmetrics/,
  );
  expect((await fetch(urlOf(health, '/other'))).status).toBe(404);
  stop.open();
  drained.open();
  await ended;
});

it('a stop is first reported, then requests are still served for a while, then those in flight are completed', async () => {
  const { synced, stop, slow, began, drained, phase, happened, server, health, ended } = setUp();
  synced.open();
  await listening(server);
  const underWay = fetch(urlOf(server, '/slow'));
  await began.opened;
  stop.open();
  while (phase.current !== 'draining') await new Promise(setImmediate);
  expect((await fetch(urlOf(health, '/readyz'))).status).toBe(503);
  const late = await fetch(urlOf(server));
  expect(late.status).toBe(200);
  expect(late.headers.get('connection')).toBe('close');
  drained.open();
  while (server.listening) await new Promise(setImmediate);
  expect(happened).toEqual(['cache started', 'gateway closed']);
  slow.open();
  expect(await (await underWay).text()).toBe('ok');
  await ended;
  expect(happened).toEqual(['cache started', 'gateway closed', 'cache stopped', 'released']);
});

it('a stop before the caches have synced ends immediately', async () => {
  const { stop, happened, ended } = setUp();
  stop.open();
  await ended;
  expect(happened).toEqual(['cache started', 'cache stopped', 'released']);
});

it('calls below /rpc/ and their upgrades go to the gateway, other upgrades nowhere', async () => {
  const { synced, stop, drained, server, ended } = setUp();
  synced.open();
  await listening(server);
  expect(await (await fetch(urlOf(server, '/rpc/x'))).text()).toBe('rpc');
  expect(await (await fetch(urlOf(server, '/rpcx'))).text()).toBe('ok');
  expect(await upgrade(server, '/rpc/x')).toContain('418');
  expect(await upgrade(server, '/v1alpha/networks')).toContain('400 Bad Request');
  stop.open();
  drained.open();
  await ended;
});

it('an upgrade that nobody takes is answered with an Error object, and its reset does not end the process', async () => {
  const { synced, stop, drained, server, ended } = setUp();
  synced.open();
  await listening(server);
  expect(await upgrade(server, '/v1alpha/networks')).toContain('"kind":"Error"');
  const { connect } = await import('node:net');
  const { promise: taken, resolve } = Promise.withResolvers<Duplex>();
  server.once('upgrade', (_request, accepted: Duplex) => resolve(accepted));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    'GET /v1alpha/networks HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  // Unheard, this event would be thrown.
  expect((await taken).emit('error', new Error('read ECONNRESET'))).toBe(true);
  socket.destroy();
  stop.open();
  drained.open();
  await ended;
});

async function upgrade(server: Server, path: string): Promise<string> {
  const { connect } = await import('node:net');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

it('a port that cannot be bound is an error', async () => {
  const taken = createServer().listen(0);
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const health = { server: createServer(), port };
  const parts: LifecycleParts = {
    phase: { current: 'starting' },
    caches: [],
    health,
    servers: [],
    closeUpgraded: async () => {},
    release: async () => {},
    drainMs: 0,
    clock: systemClock,
    log: silentLog,
  };
  await expect(runUntil(new Promise(() => {}), parts)).rejects.toThrow(/EADDRINUSE/);
  taken.close();
});
