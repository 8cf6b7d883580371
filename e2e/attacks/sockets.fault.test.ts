import { connect, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { releaseNamespace } from '../../hack/up/names.ts';
import { getJson, kubectl } from '../lib/cluster.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../lib/networks.ts';
import { openReplicas, type ReplicaAccess } from '../lib/replicas.ts';
import { call } from '../lib/service.ts';

jest.setTimeout(600_000);

/** What the holder of one public URL can do to the others, against each replica. */

const mebibyte = 1024 * 1024;
const ids: string[] = [];
let attacked: string;
let other: string;
let replicas: ReplicaAccess[];

const restarts = async () => {
  const selector = 'app.kubernetes.io/component=apiserver';
  const { items } = await getJson('pods', '--namespace', releaseNamespace, '--selector', selector);
  return items.map(
    ({
      metadata,
      status,
    }: {
      metadata: { name: string };
      status: { containerStatuses: { restartCount: number }[] };
    }) => [metadata.name, status.containerStatuses[0]?.restartCount],
  );
};

beforeAll(async () => {
  const key = await createHotKey();
  const start = async () => {
    const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
    ids.push(body.id);
    await reach(body.id, 'Operational');
    return (await endpointsOf(body.id)).rpc ?? '';
  };
  [attacked, other] = [await start(), await start()];
  replicas = await openReplicas();
});
afterAll(async () => {
  for (const replica of replicas) replica.close();
  await Promise.all(ids.map(remove));
});

/** Opens a connection to each replica in turn and writes `head`, then `body`. */
function flood(count: number, head: (path: string) => string, body: Buffer): Socket[] {
  const { pathname } = new URL(attacked);
  return Array.from({ length: count }, (_, index) => {
    const { port } = new URL(replicas[index % replicas.length]?.url ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.write(head(pathname));
    socket.write(body);
    return socket;
  });
}

async function othersGoOn(): Promise<void> {
  for (const { url } of replicas) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}${new URL(other).pathname}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
  }
  expect((await call('GET', '/v1alpha/networks?limit=1')).status).toBe(200);
}

it('300 stalled uploads of 4.9 MiB to one network are ended, and the others go on', async () => {
  const before = await restarts();
  const bytes = Math.floor(4.9 * mebibyte);
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`;
  const uploads = flood(300, head, Buffer.alloc(bytes - 1, 0x20));
  const ended = uploads.map((upload) => new Promise((resolve) => upload.once('close', resolve)));
  for (let round = 0; round < 10; round += 1) await othersGoOn();
  await Promise.all(ended);
  await othersGoOn();
  expect(await restarts()).toEqual(before);
});

it('300 WebSockets with an unfinished message of 4.9 MiB each end no replica, and the others go on', async () => {
  const before = await restarts();
  const head = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
  const bytes = Math.floor(4.9 * mebibyte);
  const frame = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  frame.writeUInt32BE(bytes, 6);
  const sockets = flood(300, head, Buffer.concat([frame, Buffer.alloc(bytes - 1)]));
  for (let round = 0; round < 10; round += 1) await othersGoOn();
  for (const socket of sockets) socket.destroy();
  await othersGoOn();
  expect(await restarts()).toEqual(before);
});

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
  const pods = replicas.map(({ name }) => name);
  await kubectl(['--namespace', releaseNamespace, 'delete', 'pod', '--wait=false', ...pods]);
  const codes = new Set(await Promise.all(closings));
  expect([...codes].filter((code) => code !== 1012 && code !== 1001)).toEqual([]);
  const again = await Promise.all(Array.from({ length: 300 }, open));
  for (const socket of again) socket.close();
});
