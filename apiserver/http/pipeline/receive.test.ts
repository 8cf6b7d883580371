import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { noBudgetMetrics } from '../limits/budgetMetrics.ts';
import { createMemoryBudget } from '../limits/memoryBudget.ts';
import { type ReceiveOptions, receive } from './receive.ts';

/** A request whose body the test sends, and what `receive` makes of it. */
async function start(options: Partial<ReceiveOptions> = {}) {
  const clock = createManualClock();
  const hold = createMemoryBudget({ maxBytes: 256 * 1024 * 1024, metrics: noBudgetMetrics }).open(
    'network',
    'a',
  );
  const { promise: arrived, resolve } = Promise.withResolvers<IncomingMessage>();
  const server = createServer((request) => resolve(request)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = httpRequest({ port, host: '127.0.0.1', method: 'POST' });
  client.on('error', () => undefined);
  client.flushHeaders();
  const request = await arrived;
  const outcome = receive(request, { limitBytes: 1024 * 1024, hold, clock, ...options });
  outcome.catch(() => undefined);
  const send = async (bytes: number) => {
    let missing = bytes;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const count = (chunk: Buffer) => {
      missing -= chunk.length;
      if (missing <= 0) done();
    };
    request.on('data', count);
    client.write(Buffer.alloc(bytes, 0x20));
    await promise;
    request.off('data', count);
  };
  /** A window of the pace ends, and everything that it causes has happened. */
  const passWindow = async () => {
    clock.advance(5000);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  };
  const close = () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  };
  return { client, outcome, send, passWindow, close };
}

const tooSlow = {
  reason: 'RequestTimeout',
  message: 'the body arrives too slowly: send at least 8192 bytes per second',
};

it.each([
  ['stalls at once', 0],
  ['sends a few bytes', 100],
  ['stalls after it sent much', 500_000],
])('ends an upload that %s', async (_what, bytes) => {
  const slow: true[] = [];
  const { outcome, send, passWindow, close } = await start({ onSlow: () => void slow.push(true) });
  if (bytes > 0) await send(bytes);
  await passWindow();
  await passWindow();
  await expect(outcome).rejects.toMatchObject(tooSlow);
  expect(slow).toEqual([true]);
  close();
});

it('waits for an upload that makes progress, however long it takes', async () => {
  const { client, outcome, send, passWindow, close } = await start();
  for (let window = 0; window < 10; window += 1) {
    await send(50_000);
    await passWindow();
  }
  client.end();
  expect((await outcome)?.length).toBe(500_000);
  close();
});

it('resolves to nothing if the caller disconnects', async () => {
  const { client, outcome, send, close } = await start();
  await send(100);
  client.destroy();
  expect(await outcome).toBeUndefined();
  close();
});

it.each([
  ['before its body has arrived', '100'],
  ['after its body has arrived', '3'],
])('resolves to nothing if the caller disconnected %s, before it is read', async (_when, length) => {
  const { promise: arrived, resolve } = Promise.withResolvers<IncomingMessage>();
  const server = createServer((request) => resolve(request)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = httpRequest({ port, method: 'POST', headers: { 'Content-Length': length } });
  client.on('error', () => undefined);
  client.write('abc');
  const request = await arrived;
  const closed = new Promise((done) => request.once('close', done));
  client.destroy();
  await closed;
  const hold = { take: () => undefined, give: () => undefined, release: () => undefined };
  expect(await receive(request, { limitBytes: 100, hold, clock: createManualClock() })).toBeUndefined();
  server.close();
});

it('charges many small chunks no more than their size and one block', async () => {
  const allocations: number[] = [];
  const hold = {
    take: (bytes: number) => void allocations.push(bytes),
    give: () => undefined,
    release: () => undefined,
  };
  const { client, outcome, send, close } = await start({ hold });
  for (let chunk = 0; chunk < 3000; chunk += 1) await send(100);
  client.end();
  expect((await outcome)?.equals(Buffer.alloc(300_000, 0x20))).toBe(true);
  const taken = allocations.reduce((sum, bytes) => sum + bytes);
  expect(taken).toBeGreaterThanOrEqual(300_000);
  expect(taken).toBeLessThan(300_000 + 2 * 64 * 1024);
  close();
});

it('says that a body is large as soon as it is, once', async () => {
  const begun: true[] = [];
  const large = { bytes: 1000, begin: () => void begun.push(true) };
  const { send, close } = await start({ large });
  await send(1000);
  expect(begun).toEqual([]);
  await send(1);
  await send(1000);
  expect(begun).toEqual([true]);
  close();
});
