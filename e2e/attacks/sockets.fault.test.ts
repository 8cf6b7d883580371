import { connect, type Socket } from 'node:net';
import { kubectl } from '../lib/cluster.ts';
import { readRestarts, selectorOf } from '../lib/components.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../lib/networks.ts';
import { call } from '../lib/service.ts';

/** What the holder of one public URL can do to the others, through the ingress. */

const mebibyte = 1024 * 1024;
const ids: string[] = [];
let attacked: string;
let other: string;

beforeAll(async () => {
  const key = await createHotKey();
  const start = async () => {
    const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
    ids.push(body.id);
    await reach(body.id, 'Operational');
    return (await endpointsOf(body.id)).rpc ?? '';
  };
  [attacked, other] = [await start(), await start()];
});
afterAll(async () => {
  await Promise.all(ids.map(remove));
});

/** Opens connections and writes `head`, then `body`, to each. */
function flood(count: number, head: (path: string) => string, body: Buffer): Socket[] {
  const { pathname, port, hostname } = new URL(attacked);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.write(head(pathname));
    socket.write(body);
    return socket;
  });
}

async function othersGoOn(): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(other, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect((await call('GET', '/v1alpha/networks?limit=1')).status).toBe(200);
}

it('300 stalled uploads of 4.9 MiB to one network end no replica, and the others keep working', async () => {
  const before = await readRestarts();
  const bytes = Math.floor(4.9 * mebibyte);
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`;
  const uploads = flood(300, head, Buffer.alloc(bytes - 1, 0x20));
  for (let round = 0; round < 20; round += 1) await othersGoOn();
  // The ingress holds them longer than the API server does, because their last byte never comes.
  for (const upload of uploads) upload.destroy();
  await othersGoOn();
  expect(await readRestarts()).toEqual(before);
});

it('300 WebSockets with an unfinished message of 4.9 MiB each end no replica, and the others keep working', async () => {
  const before = await readRestarts();
  const head = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
  const bytes = Math.floor(4.9 * mebibyte);
  const frame = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  frame.writeUInt32BE(bytes, 6);
  const sockets = flood(300, head, Buffer.concat([frame, Buffer.alloc(bytes - 1)]));
  for (let round = 0; round < 20; round += 1) await othersGoOn();
  for (const socket of sockets) socket.destroy();
  await othersGoOn();
  expect(await readRestarts()).toEqual(before);
});

/** A client tries again at once until it is connected. */
async function openAgain(open: () => Promise<WebSocket>): Promise<WebSocket> {
  for (;;) {
    const socket = await open().catch(() => undefined);
    if (socket) return socket;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

it('300 subscribers over the removal of the replicas are told to connect again, and do', async () => {
  const url = other.replace(/^http/, 'ws').replace(/\/rpc$/, '/ws');
  const open = () =>
    new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(url);
      socket.onopen = () => resolve(socket);
      socket.onerror = () => reject(new Error('the connection was refused'));
    });
  const sockets = await Promise.all(Array.from({ length: 300 }, open));
  const closings = sockets.map(
    (socket) =>
      new Promise<number>((resolve) => {
        socket.onclose = ({ code }) => resolve(code);
      }),
  );
  await kubectl(['delete', 'pod', ...selectorOf('apiserver'), '--wait=false']);
  const codes = new Set(await Promise.all(closings));
  expect([...codes].filter((code) => code !== 1012 && code !== 1001)).toEqual([]);
  const startMs = Date.now();
  const again = await Promise.all(Array.from({ length: 300 }, () => openAgain(open)));
  process.stderr.write(`300 subscribers were connected again after ${Date.now() - startMs} ms\n`);
  for (const socket of again) socket.close();
});
