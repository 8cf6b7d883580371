import { createServer, type Server, type Socket } from 'node:net';
import { Contract, JsonRpcProvider } from 'ethers';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { journalType, networkType } from '../../core/api/resources/resources.ts';
import { type ChainScene, createChainScene, type SceneNetwork } from '../../core/outbox/testing/scene.ts';
import { tokenContractsForTests } from '../../hack/contracts/forTests.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { startOutboxOperator } from '../token/testing/outbox.ts';
import { awaitSupply, deployOfts, type Oft, sendOft, supplyOf } from './testing/oft.ts';
import {
  createMesh,
  endpointOn,
  isOperational,
  type LayerZeroOperator,
  startLayerZeroOperator,
} from './testing/operator.ts';

const kube = createTestKube();
let scene: ChainScene;
let operator: LayerZeroOperator;
const networks = new Map<string, SceneNetwork>();
const ofts: Oft[] = [];
const unit = 10n ** 18n;

async function addMember(name: string, options: Parameters<ChainScene['addNetwork']>[1] = {}) {
  const network = await scene.addNetwork(name, options);
  networks.set(name, network);
  const endpoints = { rpc: `http://gateway/${name}/rpc`, ws: `ws://gateway/${name}/ws` };
  await kube.patch(networkType, network.resource.metadata, { status: { endpoints } }, 'status');
}

beforeAll(async () => {
  scene = await createChainScene(kube);
  await Promise.all([
    addMember('a', { type: 'Arbitrum' }),
    addMember('b'),
    addMember('c', { type: 'Fantom' }),
  ]);
  operator = await startLayerZeroOperator(kube, scene);
});
afterAll(async () => {
  for (const oft of ofts) oft.close();
  await operator.stop();
  await scene.stop();
  await kube.close();
});

/** Deploys OFTs on members of a LayerZero network, using the endpoint addresses in its status. */
async function deployOn(mesh: string, names: string[]): Promise<Oft[]> {
  const network = await operator.reach(mesh, isOperational);
  const places = names.map((name) => ({
    ...endpointOn(network, name),
    url: networks.get(name)?.url ?? '',
  }));
  const deployed = await deployOfts(scene.wallet, places);
  ofts.push(...deployed);
  return deployed;
}

const patchSpec = (name: string, spec: object) =>
  kube.patch(networkType, { namespace: scene.user.namespace, name }, { spec });

test('with three members, the status has the endpoints, and tokens arrive both ways with the total conserved', async () => {
  await createMesh(kube, scene, { name: 'mesh', members: ['a', 'b', 'c'] });
  const { status } = await operator.reach('mesh', isOperational);
  expect(status).toMatchObject({
    execution: { currentStep: 3, totalSteps: 3 },
    endpoints: { 'a-rpc': 'http://gateway/a/rpc', 'c-ws': 'ws://gateway/c/ws' },
  });
  const [a, b] = await deployOn('mesh', ['a', 'b']);
  if (!a || !b) throw new Error('not deployed');
  const total = (await supplyOf(a)) + (await supplyOf(b));
  const [atA, atB] = [await supplyOf(a), await supplyOf(b)];
  await sendOft(a, b, 5n * unit);
  await sendOft(a, b, 2n * unit);
  await awaitSupply(b, atB + 7n * unit);
  await sendOft(b, a, 3n * unit);
  await awaitSupply(a, atA - 4n * unit);
  expect((await supplyOf(a)) + (await supplyOf(b))).toBe(total);
});

test('opens and delivers only on the connections in the spec', async () => {
  const both = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ];
  await createMesh(kube, scene, { name: 'pair', members: ['a', 'b', 'c'], connections: both });
  const [a, b, c] = await deployOn('pair', ['a', 'b', 'c']);
  if (!a || !b || !c) throw new Error('not deployed');
  await expect(sendOft(a, c, unit)).rejects.toThrow(/revert/);
  const [atA, atB] = [await supplyOf(a), await supplyOf(b)];
  const withConnections = (connections: typeof both) => ({ chain: { layerzero: { connections } } });
  await patchSpec('pair', withConnections(both.slice(0, 1)));
  await operator.reach('pair', ({ spec, ...network }) => {
    const { connections = [] } = spec.chain.layerzero ?? {};
    return connections.length === 1 && isOperational({ spec, ...network });
  });
  await sendOft(b, a, unit);
  await sendOft(a, b, unit);
  await awaitSupply(b, atB);
  expect(await supplyOf(a)).toBe(atA - unit);
  await patchSpec('pair', withConnections(both));
  await awaitSupply(a, atA);
});

test('a member that was reset gets a new endpoint and id, and tokens arrive again', async () => {
  await addMember('r');
  await createMesh(kube, scene, { name: 'renewed', members: ['a', 'r'] });
  const before = await operator.reach('renewed', isOperational);
  const [oldA, oldR] = await deployOn('renewed', ['a', 'r']);
  if (!oldA || !oldR) throw new Error('not deployed');
  await sendOft(oldA, oldR, unit);
  await awaitSupply(oldR, 1_000_001n * unit);
  const former = networks.get('r');
  if (former) networks.set('r', await scene.reset(former));
  const after = await operator.reach(
    'renewed',
    (network) => isOperational(network) && network.status?.enclaveID !== before.status?.enclaveID,
  );
  expect(endpointOn(after, 'a')).toEqual(endpointOn(before, 'a'));
  expect(endpointOn(after, 'r').eid).not.toBe(endpointOn(before, 'r').eid);
  const [a, r] = await deployOn('renewed', ['a', 'r']);
  if (!a || !r) throw new Error('not deployed');
  await sendOft(a, r, 2n * unit);
  await awaitSupply(r, 1_000_002n * unit);
  await sendOft(r, a, 2n * unit);
  await awaitSupply(a, 1_000_000n * unit);
});

describe('with a member that never answers', () => {
  let server: Server;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    server = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test('wires the others, and their messages arrive', async () => {
    const place = server.address();
    if (!place || typeof place === 'string') throw new Error('no address');
    await addMember('h', { upstream: { host: '127.0.0.1', port: place.port } });
    await createMesh(kube, scene, { name: 'partly', members: ['a', 'h', 'b'] });
    const both = ['a', 'b'];
    const network = await operator.reach('partly', ({ status }) => {
      const deployed = status?.layerzero?.members.filter(({ endpoint }) => endpoint) ?? [];
      return deployed.length === 2 && /"h"/.test(status?.message ?? '');
    });
    expect(network.status?.state).toBe('Pending');
    const places = both.map((name) => ({
      ...endpointOn(network, name),
      url: networks.get(name)?.url ?? '',
    }));
    const [a, b] = await deployOfts(scene.wallet, places);
    if (!a || !b) throw new Error('not deployed');
    ofts.push(a, b);
    await sendOft(a, b, unit);
    await awaitSupply(b, 1_000_001n * unit);
  });
});

test('a stopped member is woken; a missing one is named in the message until it exists', async () => {
  await addMember('s');
  const stopped = { state: 'Stopped', lastStoppedAt: '2020-01-01T00:00:00Z' };
  const { namespace } = scene.user;
  await kube.patch(networkType, { namespace, name: 's' }, { status: stopped }, 'status');
  await createMesh(kube, scene, { name: 'late', members: ['a', 's', 'missing'] });
  await operator.reach('s', ({ metadata }) => metadata.annotations?.['slipway.dev/wake'] !== undefined);
  await operator.reach('late', ({ status }) => /"missing"|"s"/.test(status?.message ?? ''));
  await kube.patch(networkType, { namespace, name: 's' }, { status: { state: 'Operational' } }, 'status');
  await addMember('missing');
  await operator.reach('late', isOperational);
});

test('Restart verifies the wiring and repairs what somebody changed', async () => {
  const before = await operator.reach('mesh', isOperational);
  const { messageLib = '' } = endpointOn(before, 'a');
  const provider = new JsonRpcProvider(networks.get('a')?.url);
  const { abi } = tokenContractsForTests().layerzero('MessageLib');
  const lib = new Contract(messageLib, abi, provider);
  const service = await lib.getFunction('whitelistCaller')();
  const data = abi.encodeFunctionData('setWhitelistCaller', [scene.wallet.address]);
  await provider.send('anvil_impersonateAccount', [service]);
  await provider.send('eth_sendTransaction', [{ from: service, to: messageLib, data }]);
  expect(await lib.getFunction('whitelistCaller')()).toBe(scene.wallet.address);
  await patchSpec('mesh', { maintenanceRequest: { action: 'Restart', nonce: 1 } });
  const after = await operator.reach(
    'mesh',
    (network) => isOperational(network) && network.status?.observedMaintenanceNonce === 1,
  );
  expect(await lib.getFunction('whitelistCaller')()).toBe(service);
  const endpointsOf = ({ status }: NetworkResource) =>
    status?.layerzero?.members.map(({ anchor: _, ...endpoint }) => endpoint);
  expect(endpointsOf(after)).toEqual(endpointsOf(before));
  provider.destroy();
});

test('an endpoint that a rollback undid is reported, and deployed again by a Restart', async () => {
  await addMember('u');
  const node = new JsonRpcProvider(networks.get('u')?.url);
  const { chainDeps } = operator;
  const outbox = await startOutboxOperator(kube, scene, chainDeps, chainDeps.signers.serviceOf);
  const snapshot = await node.send('evm_snapshot', []);
  await createMesh(kube, scene, { name: 'undone', members: ['a', 'u'] });
  const before = await operator.reach('undone', isOperational);
  await node.send('evm_revert', [snapshot]);
  const undone = await operator.reach('undone', ({ status }) => status?.state === 'Error');
  expect(undone.status?.message).toMatch(
    /^member "u": .*rolled back past its transaction .*: request a Restart$/,
  );
  expect(await node.getBlockNumber()).toBe(0);
  await patchSpec('undone', { maintenanceRequest: { action: 'Restart', nonce: 1 } });
  const after = await operator.reach(
    'undone',
    (network) => isOperational(network) && network.status?.observedMaintenanceNonce === 1,
  );
  expect(await node.getCode(endpointOn(after, 'u').endpoint)).not.toBe('0x');
  expect(endpointOn(after, 'a').endpoint).toBe(endpointOn(before, 'a').endpoint);
  const [a, u] = await deployOn('undone', ['a', 'u']);
  if (!a || !u) throw new Error('not deployed');
  await sendOft(a, u, unit);
  await awaitSupply(u, 1_000_001n * unit);
  await outbox.stop();
  node.destroy();
});

test('a connection that a rollback undid while the other member was away is reported once that one is back', async () => {
  await addMember('v');
  await addMember('w');
  const w = networks.get('w');
  if (!w) throw new Error('w is missing');
  const node = new JsonRpcProvider(networks.get('v')?.url);
  const members = (names: string[]) => names.map((name) => ({ networkRef: { name } }));
  await createMesh(kube, scene, { name: 'grown', members: ['a', 'v'] });
  await operator.reach('grown', isOperational);
  const snapshot = await node.send('evm_snapshot', []);
  await patchSpec('grown', { chain: { layerzero: { networks: members(['a', 'v', 'w']) } } });
  await operator.reach(
    'grown',
    (network) => isOperational(network) && network.status?.layerzero?.members.length === 3,
  );
  const report = (state: string) =>
    kube.patch(networkType, w.resource.metadata, { status: { state } }, 'status');
  await report('Pending');
  await operator.reach('grown', ({ status }) => status?.state === 'Pending');
  await node.send('evm_revert', [snapshot]);
  await operator.reach('grown', ({ status }) => status?.layerzero?.wired === undefined);
  await report('Operational');
  const undone = await operator.reach('grown', ({ status }) => status?.state === 'Error');
  expect(undone.status?.message).toMatch(/^member "v": .*rolled back past its transaction/);
  node.destroy();
});

test('the network owns the journals with its steps and positions', async () => {
  const { metadata } = await operator.reach('mesh', isOperational);
  const { items } = await kube.list(journalType, { namespace: scene.user.namespace });
  const own = items.filter(({ spec }) => spec.scope.startsWith(`layerzero/${metadata.uid}/`));
  // One per member, and one per connection on which a message waited.
  expect(own).toHaveLength(5);
  for (const journal of own) {
    expect(journal.metadata.ownerReferences).toMatchObject([{ kind: 'Network', uid: metadata.uid }]);
  }
});
