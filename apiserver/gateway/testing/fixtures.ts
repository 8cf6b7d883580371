import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Access, accessKeyOf, type KeyScope } from '../../../core/accounts/accessKeys.ts';
import { keyOf } from '../../../core/accounts/keyring.ts';
import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { type PlainAnvil, startPlainAnvil } from '../../../core/evm/testing/plainAnvil.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createMetrics } from '../../../core/lib/metrics.ts';
import type { RpcGatewayDeps, RpcNetwork, Upstream } from '../deps.ts';
import { createRpcGateway, type RpcGateway } from '../gateway.ts';
import { gatewayMetricTable } from '../metrics.ts';

/** For tests: a gateway on the loopback interface with a network that the test controls. */

export const testUid = '7c2f0b54-4a1e-4d0e-9d59-3f3a1f0c2b11';
export const testId = 'b3b6a0de-1f7c-4c55-9a0e-2d1c6f4e8a77';
export const testScope = { id: testId, namespace: 'test' };
/** Before the first rotation. */
export const firstEpochs = { public: 0, admin: 0 };
export const accessKeys = aKeyring('the newer access key', 'the older access key');
interface KeyOptions {
  scope: KeyScope;
  epoch: number;
  keyId: string;
}
export const keyFor = (
  access: Access,
  { scope = testScope, epoch = 0, keyId = 'k2' }: Partial<KeyOptions> = {},
) => accessKeyOf(keyOf(accessKeys, keyId), { scope, access, epoch });
export const publicKey = keyFor('public');
/** Another network on the same node; it is always Operational. */
const neighbourUid = '1d8a6f1e-90c5-4c9b-8f0e-5b6d7c8e9f00';
const neighbourScope = { id: 'c4c7b1ef-2a8d-4d66-8b1f-3e2d7a5f9b88', namespace: 'test' };
const neighbourKey = keyFor('public', { scope: neighbourScope });
export const adminKey = keyFor('admin');

export interface World {
  /** `http://127.0.0.1:port` of the gateway. */
  origin: string;
  /** For a server of the test's own. */
  gateway: RpcGateway;
  url(service?: string, accessKey?: string): string;
  neighbourUrl(service?: string): string;
  /** Changes or removes the network and notifies the gateway. */
  setNetwork(change: Partial<RpcNetwork> | undefined): void;
  setUpstream(upstream: Upstream | undefined): void;
  woken: string[];
  active: string[];
  metricsText(): Promise<string>;
  closeGateway(): Promise<void>;
  close(): Promise<void>;
}

/** A gateway whose network is Operational with the given upstream. */
export async function startWorld(
  upstream?: Upstream,
  overrides: Partial<RpcGatewayDeps> = {},
): Promise<World> {
  const state = createState(upstream);
  const metrics = createMetrics([gatewayMetricTable]);
  const woken: string[] = [];
  const active: string[] = [];
  const gateway = createRpcGateway({
    accessKeys,
    networks: state.networks,
    upstreams: state.upstreams,
    wake: (uid) => void woken.push(uid),
    activity: (uid) => void active.push(uid),
    settings: { holdSeconds: 20, maxBodyBytes: 1024 * 1024 },
    clock: systemClock,
    log: silentLog,
    metrics,
    ...overrides,
  });
  const server = createServer(gateway.handle).on('upgrade', gateway.handleUpgrade);
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    gateway,
    url: (service = 'rpc', accessKey = service.startsWith('admin') ? adminKey : publicKey) =>
      `${origin}/rpc/${testId}/${accessKey}/${service}`,
    neighbourUrl: (service = 'rpc') => `${origin}/rpc/${neighbourScope.id}/${neighbourKey}/${service}`,
    setNetwork: state.setNetwork,
    setUpstream: state.setUpstream,
    woken,
    active,
    metricsText: async () => (await metrics.scrape()).text,
    closeGateway: gateway.close,
    async close() {
      await gateway.close();
      await closeServer(server);
    },
  };
}

/** Port names of the test's node. */
const portNames = ['rpc', 'rest', 'el-2', 'cl-2'];

function createState(first: Upstream | undefined) {
  let network: RpcNetwork | undefined = {
    uid: testUid,
    id: testId,
    keyScopes: [testScope],
    name: 'my-network',
    namespace: 'test',
    type: 'Ethereum',
    state: 'Operational',
    isDeleting: false,
    accessEpochs: firstEpochs,
  };
  const neighbour: RpcNetwork = {
    ...network,
    uid: neighbourUid,
    id: neighbourScope.id,
    keyScopes: [neighbourScope],
    name: 'neighbour',
  };
  let upstream = first;
  const listeners = new Set<(uid: string, id: string) => void>();
  const emit = () => {
    for (const listener of [...listeners]) listener(testUid, testId);
  };
  const onChange = (listener: (uid: string, id: string) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    networks: {
      find: (uid: string) => (uid === neighbourUid ? neighbour : uid === testUid ? network : undefined),
      at: (id: string) =>
        id === neighbourScope.id ? [neighbour] : [testId, testUid].includes(id) && network ? [network] : [],
      onChange,
    },
    upstreams: {
      find: (uid: string, port: string) =>
        [testUid, neighbourUid].includes(uid) && portNames.includes(port) ? upstream : undefined,
      onChange,
    },
    setNetwork(change: Partial<RpcNetwork> | undefined) {
      const names = { uid: testUid, id: testId, name: 'my-network', namespace: 'test' };
      const keys = { keyScopes: [testScope] satisfies [KeyScope], accessEpochs: firstEpochs };
      const before = network ?? { ...names, ...keys, type: 'Ethereum', state: undefined, isDeleting: false };
      network = change && { ...before, ...change };
      emit();
    },
    setUpstream(next: Upstream | undefined) {
      upstream = next;
      emit();
    },
  };
}

export interface Node extends Upstream {
  server: Server;
  close(): Promise<void>;
}

/** A node that the test controls. */
export async function startNode(listener: RequestListener): Promise<Node> {
  const server = createServer(listener);
  const port = await listen(server);
  return { host: '127.0.0.1', port, server, close: () => closeServer(server) };
}

export type SeenWorld = World & { seen: string[] };

/** A gateway with a node that answers every request with these headers; `seen` has each request's method and path. */
export async function startSeenWorld(headers: Record<string, string> = {}): Promise<SeenWorld> {
  const seen: string[] = [];
  const node = await startNode((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.setHeaders(new Map(Object.entries(headers)));
    request.resume().on('end', () => response.end('{"result":1}'));
  });
  const world = await startWorld(node);
  const close = () => world.close().then(node.close);
  return { ...world, seen, close };
}

/** A real anvil, started as the operator starts it. */
export function startAnvil(): Promise<PlainAnvil> {
  return startPlainAnvil(['--accounts', '0', '--slots-in-an-epoch', '1']);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** POSTs a JSON value, or a string unchanged. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** Sends bytes over a raw connection and collects the response until it ends or contains `until`. */
export function raw(origin: string, bytes: string, until: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes(until)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}
