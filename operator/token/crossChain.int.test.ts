import { jest } from '@jest/globals';
import { AbiCoder, Contract, JsonRpcProvider } from 'ethers';
import { tokenType } from '../../core/api/resources.ts';
import type { Mechanism } from '../../core/api/tokenArgs.ts';
import type { TokenResource } from '../../core/api/tokenResource.ts';
import { arbitrum } from '../../core/chains/evm/chains/arbitrum.ts';
import { fantom } from '../../core/chains/evm/chains/fantom.ts';
import { optimism } from '../../core/chains/evm/chains/optimism.ts';
import { createKube } from '../../core/kube/client.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
} from '../../core/transactions/testing/scene.ts';
import {
  createToken,
  deploymentOn,
  isDeployed,
  startTokenOperator,
  type TokenOperator,
} from './testing/operator.ts';

jest.setTimeout(120_000);

const kube = createKube({
  kubeconfigPath: process.env.SLIPWAY_TEST_KUBECONFIG ?? '',
  log: silentLog,
  clock: systemClock,
});
let scene: ChainScene;
let operator: TokenOperator;
let a: SceneNetwork;
let b: SceneNetwork;
let c: SceneNetwork;

beforeAll(async () => {
  scene = await createChainScene(kube);
  [a, b, c] = await Promise.all([
    scene.addNetwork('a', { type: 'Arbitrum', driver: arbitrum }),
    scene.addNetwork('b', { type: 'Optimism', driver: optimism }),
    scene.addNetwork('c', { type: 'Fantom', driver: fantom }),
  ]);
  operator = await startTokenOperator(kube, scene);
});
afterAll(async () => {
  await operator.stop();
  await scene.stop();
  await kube.close();
});

const nobody = `0x${'0'.repeat(40)}`;
const receiver = `0x${'77'.repeat(20)}`;
const erc20 = [
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function approve(address, uint256) returns (bool)',
];
const router = [
  'function ccipSend(uint64, (bytes receiver, bytes data, (address token, uint256 amount)[] tokenAmounts, address feeToken, bytes extraArgs)) payable returns (bytes32)',
];

const on = (token: TokenResource, network: SceneNetwork) => {
  const found = deploymentOn(token.status?.deployments, network.name);
  if (!found) throw new Error(`nothing on ${network.name}`);
  return found;
};
const tokenOn = (token: TokenResource, network: SceneNetwork) =>
  new Contract(
    on(token, network).tokenAddress ?? '',
    erc20,
    scene.wallet.connect(new JsonRpcProvider(network.url)),
  );
const supplyOf = (token: TokenResource, network: SceneNetwork): Promise<bigint> =>
  tokenOn(token, network).getFunction('totalSupply')();

/** What a user does with ethers. */
async function ccipSend(token: TokenResource, [from, to]: [SceneNetwork, SceneNetwork], amount: bigint) {
  const { router: address = '' } = on(token, from).extraAddresses ?? {};
  const { chain_selector: selector = '' } = on(token, to).extraAddresses ?? {};
  await (await tokenOn(token, from).getFunction('approve')(address, amount)).wait();
  const contract = new Contract(address, router, scene.wallet.connect(new JsonRpcProvider(from.url)));
  const encoded = AbiCoder.defaultAbiCoder().encode(['address'], [receiver]);
  const tokens = [{ token: on(token, from).tokenAddress, amount }];
  await (await contract.getFunction('ccipSend')(selector, [encoded, '0x', tokens, nobody, '0x'])).wait();
}

/** The relay delivers in its own time: chains are asked until it has. */
async function arrived(token: TokenResource, network: SceneNetwork, amount: bigint): Promise<void> {
  const endMs = Date.now() + 60_000;
  for (;;) {
    const balance: bigint = await tokenOn(token, network).getFunction('balanceOf')(receiver);
    if (balance >= amount) return expect(balance).toBe(amount);
    if (Date.now() > endMs) throw new Error(`${balance} arrived: ${operator.deps.failures.join()}`);
    await systemClock.sleep(100);
  }
}

test.each<Mechanism>(['burn-mint', 'lock-release'])(
  'a CCT of mechanism %s is wired between three networks, and ccipSend arrives',
  async (mechanism) => {
    const liquidity = mechanism === 'lock-release' ? { liquidity: 500 } : {};
    const args = { total_supply: '1000', ...liquidity };
    const deployments = [a, b, c].map(({ name }) => ({ network: name, args }));
    const name = await createToken(kube, scene, { type: 'CCT', mechanism, deployments });
    const token = await operator.reach(name, isDeployed);
    const before = await Promise.all([a, b, c].map((network) => supplyOf(token, network)));
    await ccipSend(token, [a, b], 100n);
    await arrived(token, b, 100n);
    await ccipSend(token, [b, c], 50n);
    await arrived(token, c, 50n);
    const after = await Promise.all([a, b, c].map((network) => supplyOf(token, network)));
    const sum = (supplies: bigint[]) => supplies.reduce((one, other) => one + other, 0n);
    expect(sum(after)).toBe(sum(before));
  },
);

test('two CCTs at once on new networks make one router, and a network added later is wired to all', async () => {
  const [d, e, f] = await Promise.all(['d', 'e', 'f'].map((name) => scene.addNetwork(name)));
  if (!d || !e || !f) throw new Error('no networks');
  const args = { total_supply: '1000' };
  const deployments = [d, e].map(({ name }) => ({ network: name, args }));
  const names = await Promise.all(
    [1, 2].map(() => createToken(kube, scene, { type: 'CCT', mechanism: 'burn-mint', deployments })),
  );
  const [one, other] = await Promise.all(names.map((name) => operator.reach(name, isDeployed)));
  if (!one || !other) throw new Error('no tokens');
  expect(on(one, d).extraAddresses?.router).toBe(on(other, d).extraAddresses?.router);
  const ref = { namespace: scene.user.namespace, name: names[0] ?? '' };
  const spec = { deployments: [...deployments, { network: 'f', args }] };
  await kube.patch(tokenType, ref, { spec });
  const grown = await operator.reach(
    ref.name,
    (token) => isDeployed(token) && token.status?.deployed === '3/3',
  );
  expect(on(grown, d)).toEqual(on(one, d));
  await ccipSend(grown, [f, d], 5n);
  await arrived(grown, d, 5n);
});

test('an ERC3643 is deployed on three networks', async () => {
  const args = {
    total_supply: '1000',
    owner: scene.wallet.address,
    compliance_registry: nobody,
  };
  const deployments = [a, b, c].map(({ name }) => ({ network: name, args }));
  const name = await createToken(kube, scene, { type: 'ERC3643', deployments });
  const token = await operator.reach(name, isDeployed);
  for (const network of [a, b, c]) expect(await supplyOf(token, network)).toBe(1000n);
});
