import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Contract, getAddress, JsonRpcProvider } from 'ethers';
import { networkType, tokenType } from '../../core/api/resources/resources.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import {
  addThreeTypes,
  type ChainScene,
  createChainScene,
  type SceneNetwork,
} from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import {
  createToken,
  deploymentOn,
  isDeployed,
  startTokenOperator,
  type TokenOperator,
} from './testing/operator.ts';

const kube = createTestKube();
let scene: ChainScene;
let operator: TokenOperator;
let a: SceneNetwork;
let b: SceneNetwork;
let c: SceneNetwork;

beforeAll(async () => {
  scene = await createChainScene(kube);
  [a, b, c] = await addThreeTypes(scene, ['a', 'b', 'c']);
  operator = await startTokenOperator(kube, scene);
});
afterAll(async () => {
  await operator.stop();
  await scene.stop();
  await kube.close();
});

const erc20 = [
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
];
const contractOn = ({ url }: SceneNetwork, address = '') =>
  new Contract(address, erc20, new JsonRpcProvider(url));
const on = (token: TokenResource, network: SceneNetwork) =>
  deploymentOn(token.status?.deployments, network.name);
const patch = (name: string, spec: object) =>
  kube.patch(tokenType, { namespace: scene.user.namespace, name }, { spec });

test('an ERC20 is deployed on three chain types in parallel, once', async () => {
  const args = { total_supply: '1000' };
  const deployments = [a, b, c].map(({ name }) => ({ network: name, args }));
  const name = await createToken(kube, scene, { type: 'ERC20', deployments, decimals: 6 });
  const token = await operator.reach(name, isDeployed);
  expect(token.status).toMatchObject({
    deployed: '3/3',
    conditions: [{ type: 'Ready', status: 'True', reason: 'Deployed' }],
  });
  for (const network of [a, b, c]) {
    const deployment = on(token, network);
    const contract = contractOn(network, deployment?.tokenAddress);
    expect(await contract.getFunction('balanceOf')(scene.wallet.address)).toBe(1000n);
    expect(await contract.getFunction('decimals')()).toBe(6n);
    const provider = new JsonRpcProvider(network.url);
    const receipt = await provider.getTransactionReceipt(deployment?.deploymentTx ?? '');
    expect(receipt).toMatchObject({
      contractAddress: getAddress(deployment?.tokenAddress ?? ''),
      blockNumber: deployment?.block,
    });
  }
});

test('a network that does not exist or does not run blocks no other network; both are deployed later', async () => {
  const args = { total_supply: '1' };
  await kube.patch(networkType, b.resource.metadata, { status: { state: 'Pending' } }, 'status');
  const deployments = ['a', 'b', 'later'].map((network) => ({ network, args }));
  const name = await createToken(kube, scene, { type: 'ERC20', deployments });
  const half = await operator.reach(name, (token) => on(token, a)?.state === 'Deployed');
  expect(on(half, b)).toMatchObject({
    state: 'Pending',
    message: 'waiting for the network, which is Pending',
  });
  expect(deploymentOn(half.status?.deployments, 'later')?.message).toContain('create it');
  await kube.patch(networkType, b.resource.metadata, { status: { state: 'Operational' } }, 'status');
  await scene.addNetwork('later');
  await operator.reach(name, isDeployed);
});

test('a refused deployment reports the reason, with the field', async () => {
  const wrong = { total_supply: '1', layer_zero_endpoint: `0x${'12'.repeat(20)}` };
  const name = await createToken(kube, scene, {
    type: 'OFT',
    deployments: [{ network: 'a', args: wrong }],
  });
  const failed = await operator.reach(name, (token) => on(token, a)?.state === 'Error');
  expect(on(failed, a)?.message).toContain('layer_zero_endpoint');
  expect(failed.status?.conditions?.[0]).toMatchObject({ status: 'False', reason: 'DeploymentFailed' });
});

test('a failed deployment is repaired by other args, and existing contracts stay', async () => {
  const args = { total_supply: '7' };
  // Its last letter is in the wrong case, which kube-apiserver cannot see.
  const wrong = { ...args, owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8' };
  const deployments = [
    { network: 'a', args },
    { network: 'b', args: wrong },
  ];
  const name = await createToken(kube, scene, { type: 'ERC20', deployments });
  const half = await operator.reach(
    name,
    (token) => on(token, b)?.state === 'Error' && on(token, a)?.state === 'Deployed',
  );
  expect(on(half, b)?.message).toContain('args.owner has a wrong checksum');
  await patch(name, { deployments: [deployments[0], { network: 'b', args, nonce: 2 }] });
  const whole = await operator.reach(name, isDeployed);
  expect(on(whole, a)).toEqual(on(half, a));
});

test("no user's key signs for a token whose owner is not a member of the workspace", async () => {
  const labels = { 'slipway.dev/owner': 'stranger' };
  const deployments = [{ network: 'a', args: { total_supply: '7' } }];
  const name = await createToken(kube, scene, { type: 'ERC20', deployments, labels });
  const token = await operator.reach(name, ({ status }) => status?.deployments?.[0]?.state === 'Error');
  expect(on(token, a)?.message).toContain('not a member of the workspace');
  expect(on(token, a)?.deploymentTx).toBeUndefined();
});

test('a token on a network that started a new chain is lost, and is deployed again on request', async () => {
  const args = { total_supply: '7' };
  const deployments = [a, c].map(({ name }) => ({ network: name, args }));
  const name = await createToken(kube, scene, { type: 'ERC20', deployments });
  const first = await operator.reach(name, isDeployed);
  c = await scene.reset(c);
  const gone = await operator.reach(name, (token) => on(token, c)?.state === 'Lost');
  expect(on(gone, c)?.message).toContain('began a new chain');
  expect(on(gone, a)).toEqual(on(first, a));
  await patch(name, { deployments: [deployments[0], { ...deployments[1], nonce: 2 }] });
  const again = await operator.reach(name, isDeployed);
  expect(on(again, a)).toEqual(on(first, a));
  expect(await contractOn(c, on(again, c)?.tokenAddress).getFunction('totalSupply')()).toBe(7n);
});

test('a token is lost when its chain was rolled back past it, whatever stands there by then, and is deployed again on request', async () => {
  const back = await scene.addNetwork('back');
  const node = new JsonRpcProvider(back.url);
  const snapshot = await node.send('evm_snapshot', []);
  const args = { total_supply: '7' };
  const deployments = [a, back].map(({ name }) => ({ network: name, args }));
  const name = await createToken(kube, scene, { type: 'ERC20', deployments });
  const first = await operator.reach(name, isDeployed);
  await node.send('evm_revert', [snapshot]);
  const foreign = await scene.wallet.connect(node).sendTransaction({ data: '0x600160005360016000f3' });
  expect((await foreign.wait())?.contractAddress).toBe(getAddress(on(first, back)?.tokenAddress ?? ''));
  const undone = await operator.reach(name, (token) => on(token, back)?.state === 'Lost');
  expect(on(undone, back)?.message).toContain('was rolled back past the deployment');
  expect(on(undone, a)).toEqual(on(first, a));
  await patch(name, { deployments: [deployments[0], { ...deployments[1], nonce: 2 }] });
  const again = await operator.reach(name, isDeployed);
  expect(await contractOn(back, on(again, back)?.tokenAddress).getFunction('totalSupply')()).toBe(7n);
  node.destroy();
});

test('a creation that failed on the chain is attempted again when somebody asks, and its former transaction is left alone', async () => {
  const fickle = await scene.addNetwork('fickle');
  const node = new JsonRpcProvider(fickle.url);
  const endpoint = `0x${'e1'.repeat(20)}`;
  // Answers 1 to everything, or burns all gas.
  const setCode = (isHealthy: boolean) =>
    node.send('anvil_setCode', [endpoint, isHealthy ? '0x600160005260206000f3' : '0xfe']);
  await setCode(true);
  await node.send('evm_setAutomine', [false]);
  const deployment = { network: 'fickle', args: { total_supply: '7', layer_zero_endpoint: endpoint } };
  const name = await createToken(kube, scene, { type: 'OFT', deployments: [deployment] });
  const sent = await operator.reach(name, (token) => on(token, fickle)?.deploymentTx !== undefined);
  await setCode(false);
  await node.send('evm_mine', []);
  const failed = await operator.reach(name, (token) => on(token, fickle)?.state === 'Error');
  await setCode(true);
  await node.send('evm_setAutomine', [true]);
  await patch(name, { deployments: [{ ...deployment, nonce: 2 }] });
  const whole = await operator.reach(name, isDeployed);
  expect(on(failed, fickle)?.deploymentTx).toBe(on(sent, fickle)?.deploymentTx);
  expect(on(whole, fickle)?.deploymentTx).not.toBe(on(sent, fickle)?.deploymentTx);
  node.destroy();
});

test('a token on a stopped or deleted network is lost; a removed entry is no longer reported', async () => {
  const d = await scene.addNetwork('d');
  const e = await scene.addNetwork('e');
  const deployments = ['d', 'e'].map((network) => ({ network, args: { total_supply: '7' } }));
  const name = await createToken(kube, scene, { type: 'ERC20', deployments });
  await operator.reach(name, isDeployed);
  await kube.patch(networkType, d.resource.metadata, { status: { state: 'Stopped' } }, 'status');
  await kube.delete(networkType, e.resource.metadata);
  const token = await operator.reach(
    name,
    ({ status }) => status?.deployments?.every(({ state }) => state === 'Lost') === true,
  );
  expect(on(token, d)?.message).toContain('was stopped');
  expect(on(token, e)?.message).toContain('was deleted');
  await patch(name, { deployments: [deployments[0]] });
  const left = await operator.reach(name, ({ status }) => status?.deployments?.length === 1);
  expect(left.status?.deployed).toBe('0/1');
});

test('a network whose node never answers does not block the others, including those requested later', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const mute = await scene.addNetwork('mute', { upstream: { host: '127.0.0.1', port } });
  const args = { total_supply: '7' };
  const deployments = ['a', 'mute'].map((network) => ({ network, args }));
  const name = await createToken(kube, scene, { type: 'ERC20', deployments });
  const half = await operator.reach(name, (token) => on(token, a)?.state === 'Deployed');
  expect(on(half, mute)?.state).toBe('Deploying');
  await patch(name, { deployments: [...deployments, { network: 'b', args }] });
  const later = await operator.reach(name, (token) => on(token, b)?.state === 'Deployed');
  expect(on(later, mute)?.state).toBe('Deploying');
  await operator.reach(name, (token) => on(token, mute)?.message?.includes('did not answer') === true);
  await kube.delete(networkType, mute.resource.metadata);
  await operator.reach(name, (token) => on(token, mute)?.state === 'Lost');
  silent.close();
});

test('a deployment wakes a network that is stopped', async () => {
  const f = await scene.addNetwork('f');
  await kube.patch(networkType, f.resource.metadata, { status: { state: 'Stopped' } }, 'status');
  const woken = operator.deps.caches.networks;
  await createToken(kube, scene, {
    type: 'ERC20',
    deployments: [{ network: 'f', args: { total_supply: '7' } }],
  });
  const found = await woken.waitFor(
    ({ metadata }) => metadata.name === 'f' && metadata.annotations?.['slipway.dev/wake'] !== undefined,
    { timeoutMs: 20_000 },
  );
  expect(found).toBeDefined();
});
