import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import type { ChainType } from '../../../core/api/resources/chainSpecs.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import type { RpcNetwork } from '../deps.ts';
import {
  adminKey,
  call,
  firstEpochs,
  post,
  type SeenWorld,
  startNode,
  startSeenWorld,
  startWorld,
  testId,
  testScope,
  testUid,
} from '../testing/fixtures.ts';
import { openSocket, refusal } from '../testing/socketFixtures.ts';
import { unknownGraceMs } from '../wake/readiness.ts';
import { servicesOf } from './families.ts';
import { solanaMethodAccess } from './solanaMethods.ts';
import { cometMethodAccess } from './thorchainServices.ts';

const ofSolana: [string, string, string][] = [
  ['reads are public', 'getLatestBlockhash', 'public'],
  ['reads are public', 'isBlockhashValid', 'public'],
  ['reads are public', 'minimumLedgerSlot', 'public'],
  ['signed transactions are public', 'sendTransaction', 'public'],
  ['simulation leaves no state behind', 'simulateTransaction', 'public'],
  ['development chains have a faucet', 'requestAirdrop', 'public'],
  ['subscriptions are public', 'accountSubscribe', 'public'],
  ['subscriptions are public', 'signatureUnsubscribe', 'public'],
  ['clients use it to keep connections open', 'ping', 'public'],
  ['bundles are signed', 'sendBundle', 'public'],
  ['it changes the chain directly', 'surfnet_setAccount', 'admin'],
  ['it changes the chain directly', 'surfnet_timeTravel', 'admin'],
  ['it ends the node', 'exit', 'never'],
  ['it loads code into the node', 'loadPlugin', 'never'],
  ['it loads code into the node', 'reloadPlugin', 'never'],
  ['it unloads code from the node', 'unloadPlugin', 'never'],
  ['it tells what code is loaded', 'listPlugins', 'never'],
  ['it makes the node fetch a URL', 'snapshotSubscribe', 'never'],
  ['it ends a subscription that nobody can have', 'snapshotUnsubscribe', 'never'],
  ['only known methods are reads', 'getNodeSecrets', 'never'],
  ['its name suggests a URL', 'surfnet_setRpcUrl', 'never'],
  ['a method of another family', 'eth_call', 'never'],
  ['method names are case-sensitive', 'GetBalance', 'never'],
  ['an unknown name', 'validatorExit', 'never'],
  ['a property of every object', 'constructor', 'never'],
];

it.each(ofSolana)('Solana, %s: %s is %s', (_reason, method, access) => {
  expect(solanaMethodAccess(method, { airdrops: 'public' })).toBe(access);
});

const ofComet: [string, string, string][] = [
  ['reads are public', 'abci_query', 'public'],
  ['signed transactions are public', 'broadcast_tx_sync', 'public'],
  ['subscriptions are public', 'subscribe', 'public'],
  ['it drops pending transactions', 'unsafe_flush_mempool', 'admin'],
  ['it makes the node connect to another peer', 'dial_seeds', 'never'],
  ['it makes the node connect to another peer', 'dial_peers', 'never'],
  ['a method of another family', 'eth_call', 'never'],
  ['a property of every object', 'constructor', 'never'],
];

it.each(ofComet)('Thorchain, %s: %s is %s', (_reason, method, access) => {
  expect(cometMethodAccess(method)).toBe(access);
});

const others: [ChainType, string, boolean][] = [
  ['Solana', 'rest', false],
  ['Solana', 'rpc', true],
  ['Thorchain', 'rest', true],
  ['Thorchain', 'grpc', true],
  ['Thorchain', 'el-1', false],
  ['LayerZero', 'rpc', false],
  ['Ethereum', 'rest', false],
  ['Ethereum', 'el-1', false],
  ['Polygon', 'admin', true],
];

it.each(others)('%s has the service %s: %s', (type, service, isThere) => {
  expect(servicesOf({ type }).get(service) !== undefined).toBe(isThere);
});

const absent: [ChainType, RpcNetwork['state'], string[]][] = [
  ['Ethereum', 'Pending', ['el-1', 'cl-1', 'rest', 'grpc', 'nothing']],
  ['Polygon', 'Stopped', ['el-1', 'cl-1', 'rest']],
  ['Solana', 'Stopped', ['rest', 'grpc', 'el-1']],
  ['Thorchain', 'Pending', ['el-1', 'cl-1', 'beacon']],
  ['LayerZero', 'Operational', ['rpc', 'ws', 'admin', 'rest']],
];

it.each(absent)(
  'a %s network that is %s answers 404 immediately for services that it never has',
  async (...row) => {
    const [type, state, services] = row;
    // A held request would be answered with 503, and only after the timeout of jest.
    const world = await startWorld(undefined, { settings: { holdSeconds: 3600, maxBodyBytes: 1024 } });
    world.setNetwork({ type, state });
    for (const service of services) {
      const url = world.url(service, adminKey);
      expect([service, (await post(url, call('any'))).status]).toEqual([service, 404]);
      expect([service, (await fetch(`${url}/eth/v1/node/syncing`)).status]).toEqual([service, 404]);
      expect([service, await refusal(url)]).toEqual([service, 404]);
    }
    expect(world.woken).toEqual([]);
    await world.close();
  },
);

describe('a network of another family', () => {
  let world: SeenWorld;
  beforeEach(async () => {
    world = await startSeenWorld({ 'grpc-status': '12' });
  });
  afterEach(() => world.close());

  it('is checked by its own methods', async () => {
    world.setNetwork({ type: 'Solana' });
    expect((await post(world.url(), call('getHealth'))).json).toEqual({ result: 1 });
    expect((await post(world.url(), call('eth_chainId'))).json.error.code).toBe(-32601);
    world.setNetwork({ type: 'Ethereum' });
    expect((await post(world.url(), call('getHealth'))).json.error.code).toBe(-32601);
  });

  it('accepts calls by GET where its node does', async () => {
    world.setNetwork({ type: 'Thorchain' });
    expect((await fetch(`${world.url()}/block?height=5`)).status).toBe(200);
    expect((await fetch(`${world.url()}/dial_seeds?seeds=[]`)).status).toBe(404);
    expect((await fetch(`${world.url()}/unsafe_flush_mempool`)).status).toBe(404);
    expect((await fetch(`${world.url('admin')}/unsafe_flush_mempool`)).status).toBe(200);
    expect((await fetch(`${world.url('ws')}/block`)).status).toBe(404);
    world.setNetwork({ type: 'Solana' });
    expect((await fetch(`${world.url()}/block`)).status).toBe(404);
    expect(world.seen).toEqual(['GET /block?height=5', 'GET /unsafe_flush_mempool']);
  });

  it('serves REST below its service', async () => {
    world.setNetwork({ type: 'Thorchain' });
    await fetch(`${world.url('rest')}/cosmos/bank/v1beta1/balances/x?pagination.limit=1`);
    const grpc = await post(`${world.url('grpc')}/cosmos.bank.v1beta1.Query/Balance`, '{}');
    expect(grpc.headers.get('grpc-status')).toBe('12');
    expect(world.seen).toEqual([
      'GET /cosmos/bank/v1beta1/balances/x?pagination.limit=1',
      'POST /cosmos.bank.v1beta1.Query/Balance',
    ]);
  });
});

it('waits for a network while its type is unknown', async () => {
  const node = await startNode((_request, response) => response.end('{"result":1}'));
  const listeners = new Set<(uid: string, id: string) => void>();
  let network: RpcNetwork | undefined;
  const networks = {
    find: () => network,
    at: () => (network ? [network] : []),
    onChange(listener: (uid: string, id: string) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const held = Promise.withResolvers<void>();
  const clock = {
    ...systemClock,
    after(delayMs: number, callback: () => void) {
      if (delayMs === unknownGraceMs) held.resolve();
      return systemClock.after(delayMs, callback);
    },
  };
  const world = await startWorld(node, { networks, clock });
  const answer = post(world.url(), call('getHealth'));
  await held.promise;
  network = {
    uid: testUid,
    id: testId,
    name: 'n',
    namespace: 'test',
    type: 'Solana',
    state: 'Operational',
    isDeleting: false,
    keyScopes: [testScope],
    accessEpochs: firstEpochs,
  };
  for (const listener of [...listeners]) listener(testUid, testId);
  expect((await answer).json).toEqual({ result: 1 });
  await world.close();
  await node.close();
});

it('opens WebSockets at the paths where the node accepts them', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/websocket' });
  await once(server, 'listening');
  server.on('connection', (socket) => socket.on('message', () => socket.send('{"id":1}')));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const world = await startWorld({ host: '127.0.0.1', port });
  world.setNetwork({ type: 'Thorchain' });
  for (const path of ['ws', 'ws/websocket', 'rpc/websocket']) {
    const client = await openSocket(world.url(path));
    expect(await client.ask(call('status'))).toEqual({ id: 1 });
    client.socket.terminate();
  }
  expect(await refusal(world.url('ws/other'))).toBe(404);
  await world.close();
  server.close();
});

it("a real client of a Layer 2 has the services of an EVM chain, without the remedies for anvil's faults", () => {
  const method = 'debug_traceBlockByNumber';
  const faultOf = (profile: 'real' | 'light', name: string) => {
    const service = servicesOf({ type: 'Base', profile }).get(name);
    if (service?.kind !== 'jsonRpc') throw new Error(`${name} is not JSON-RPC`);
    return service.faultOf?.(method, JSON.stringify(call(method, ['0x1'])));
  };
  for (const name of ['rpc', 'ws', 'admin', 'admin-ws']) expect(faultOf('real', name)).toBeUndefined();
  expect(faultOf('light', 'rpc')).toContain('needs a tracer');
});
