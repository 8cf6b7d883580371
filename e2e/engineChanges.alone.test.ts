import { once } from 'node:events';
import { WebSocket } from 'ws';
import { releaseNamespace } from '../hack/up/names.ts';
import { getJson, kubectl } from './lib/cluster.ts';
import { components, podsOf } from './lib/components.ts';
import { lackedEngine, patchEntries, readEntries } from './lib/engines.ts';
import { followEvents } from './lib/events.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from './lib/networks.ts';
import { openPod, type ReplicaAccess } from './lib/replicas.ts';
import { call, freshName, until } from './lib/service.ts';

/** Engines become available, and an entry is wrong for a while: no connection ends, and no request fails. */

const writesPerSecond = 5;

let id: string;
let sockets: WebSocket[];
let closed: number;
let stream: ReturnType<typeof followEvents>;
let replicas: ReplicaAccess[];
let engine: string;
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});
beforeAll(async () => {
  engine = await lackedEngine();
  const key = await createHotKey();
  ({ id } = (await createNetwork({ privateKeyRef: { name: key.name } })).body);
  await reach(id, 'Operational');
  const { ws = '', rpc = '' } = await endpointsOf(id);
  closed = 0;
  sockets = Array.from({ length: 4 }, () => new WebSocket(ws || rpc.replace(/^http/, 'ws')));
  for (const socket of sockets) socket.on('close', () => (closed += 1));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  stream = followEvents('types=secret.*');
  await stream.saw('stream.ready');
  const pods = [...(await podsOf('apiserver')), ...(await podsOf('operator'))];
  replicas = await Promise.all(pods.map(({ metadata }) => openPod(metadata.name, releaseNamespace, 9090)));
});
afterAll(async () => {
  await patchEntries('available', { [engine]: null });
  for (const replica of replicas) replica.close();
  await stream.stop();
  for (const socket of sockets) socket.terminate();
  await remove(id);
});

/** Secrets, as fast as in the goal; what is not answered with 201 is kept. Ends with the test that started it. */
function startWriter() {
  const failures: unknown[] = [];
  const names: string[] = [];
  const ids: string[] = [];
  const end = new AbortController();
  const writes: Promise<void>[] = [];
  const writeOne = async (name: string) => {
    const body = { name, type: 'note', data: 'eA==' };
    const answer = await call('POST', '/v1alpha/secrets', { body }).catch((error: unknown) => ({ error }));
    if (!('status' in answer) || answer.status !== 201) return void failures.push(answer);
    names.push(name);
    ids.push(answer.body.id);
  };
  const timer = setInterval(() => writes.push(writeOne(freshName('writer'))), 1_000 / writesPerSecond);
  end.signal.addEventListener('abort', () => clearInterval(timer));
  const stop = async () => {
    end.abort();
    await Promise.all(writes);
  };
  cleanUps.push(async () => {
    await stop();
    await Promise.all(ids.map((id) => call('DELETE', `/v1alpha/secrets/${id}`)));
  });
  return { failures, names, stop };
}

const metricIn = async ({ url }: ReplicaAccess, name: string) => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `)) ?? '';
  return Number(line.split(' ').at(-1));
};
const inAll = (name: string) => Promise.all(replicas.map((replica) => metricIn(replica, name)));
const available = 'slipway_engines{state="available"}';
const invalid = 'slipway_engine_entries_invalid{object="slipway-engines-available"}';

const processes = async () => {
  const found = await Promise.all(
    components.map(async (component) => {
      const { metadata } = await getJson('deployment', `slipway-${component}`, '-n', releaseNamespace);
      const pods = (await podsOf(component)).map((pod) => [
        pod.metadata.name,
        pod.status.containerStatuses?.map(({ restartCount }) => restartCount),
      ]);
      return [component, metadata.generation, pods.sort()];
    }),
  );
  return JSON.stringify(found);
};

const asks = (socket: WebSocket) => {
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }));
  return once(socket, 'message');
};

it('all replicas take over what becomes available, and nothing is started again', async () => {
  const before = await processes();
  const [first = 0] = await inAll(available);
  const writer = startWriter();
  const { image } = JSON.parse((await readEntries('chart'))['evm-dev'] ?? '{}');
  await patchEntries('available', { [engine]: JSON.stringify({ state: 'Available', image }) });
  await until(
    `${engine} in all replicas`,
    () => inAll(available),
    (counts) => counts.every((count) => count === first + 1),
  );
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  await writer.stop();
  expect(writer.failures).toEqual([]);
  expect(writer.names.length).toBeGreaterThan(10);
  expect(await processes()).toBe(before);
  await stream.saw('secret.created', ({ object }) => object.name === writer.names.at(-1));
  expect([closed, stream.connections()]).toEqual([0, 1]);
  await Promise.all(sockets.map(asks));
});

it('a wrong entry changes nothing but a metric and an Event', async () => {
  // Not one of those that a builder builds: it mends their entries at once.
  const light = 'evm-dev';
  const before = await inAll(available);
  const writer = startWriter();
  try {
    await patchEntries('available', { [light]: '{"state":"Perfect"}' });
    await until(
      'all replicas to notice',
      () => inAll(invalid),
      (counts) => counts.every((count) => count === 1),
    );
    const events = ['get', 'events', '--field-selector', 'reason=InvalidEngines'];
    await until(
      'an Event',
      () => kubectl(['--namespace', releaseNamespace, ...events]),
      ({ stdout }) => stdout.includes('configmap/slipway-engines-available'),
    );
    expect(await inAll(available)).toEqual(before);
  } finally {
    await patchEntries('available', { [light]: null });
  }
  await until(
    'all replicas to see that it is gone',
    () => inAll(invalid),
    (counts) => counts.every((count) => count === 0),
  );
  await writer.stop();
  expect(writer.failures).toEqual([]);
  expect([closed, stream.connections()]).toEqual([0, 1]);
});
