import { AbiCoder, Wallet } from 'ethers';
import { readDefaultKey } from './lib/accounts.ts';
import { kubectl } from './lib/cluster.ts';
import { remove } from './lib/networks.ts';
import { call, until } from './lib/service.ts';
import {
  type Chain,
  cast,
  contractOn,
  deployed,
  deploymentOn,
  deployToken,
  startChain,
  takenBack,
  tokensPath,
} from './lib/tokens.ts';

let chains: Chain[] = [];
let wallet: Wallet;
const tokens: string[] = [];
beforeAll(async () => {
  wallet = await readDefaultKey();
  chains = await Promise.all(['Arbitrum', 'Optimism', 'Fantom'].map((type) => startChain(type, wallet)));
});
afterAll(async () => {
  for (const { provider } of chains) provider.destroy();
  await Promise.all(tokens.map((id) => call('DELETE', `${tokensPath}/${id}`)));
  await Promise.all(chains.map(({ id }) => remove(id)));
});

const erc20 = [
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function owner() view returns (address)',
  'function transfer(address, uint256) returns (bool)',
  'function approve(address, uint256) returns (bool)',
];
const nobody = `0x${'0'.repeat(40)}`;
const onAll = (args: object) => chains.map(({ id }) => ({ network_id: id, args }));
// biome-ignore lint/suspicious/noExplicitAny: a REST response
const erc20On = (token: any, chain: Chain) =>
  contractOn(chain, deploymentOn(token, chain).token_address, erc20);

// biome-ignore lint/suspicious/noExplicitAny: a REST response
async function deploy(kind: string, body: object): Promise<any> {
  const token = await deployToken(kind, body);
  tokens.push(token.id);
  return token;
}

test('an ERC20 on three chain types has the right supply, decimals and owner, and can be transferred', async () => {
  const token = await deploy('erc20', {
    decimals: 6,
    deployments: onAll({ total_supply: '1000', initial_supply: '600' }),
  });
  const receiver = Wallet.createRandom().address;
  for (const chain of chains) {
    const { token_address: address, deployment_tx: tx } = deploymentOn(token, chain);
    const contract = erc20On(token, chain);
    expect(await cast(chain, address, 'totalSupply()(uint256)')).toBe('600');
    expect(await cast(chain, address, 'owner()(address)')).toBe(wallet.address);
    expect(await contract.getFunction('decimals')()).toBe(6n);
    await (await contract.getFunction('transfer')(receiver, 7n)).wait();
    expect(await cast(chain, address, 'balanceOf(address)(uint256)', receiver)).toBe('7');
    expect((await chain.provider.getTransactionReceipt(tx))?.status).toBe(1);
  }
});

test('an ERC3643 rejects an unregistered receiver and accepts a registered one', async () => {
  const args = { total_supply: '1000', compliance_registry: nobody };
  const token = await deploy('erc3643', { deployments: onAll(args) });
  const registryAbi = ['function registerIdentity(address, address, uint16)'];
  for (const chain of chains) {
    const { token_address: address, extra_addresses: extra } = deploymentOn(token, chain);
    const contract = erc20On(token, chain);
    const receiver = Wallet.createRandom().address;
    await expect(contract.getFunction('transfer').estimateGas(receiver, 5n)).rejects.toThrow(
      'Transfer not possible',
    );
    const registry = contractOn(chain, extra.identity_registry, registryAbi);
    await (await registry.getFunction('registerIdentity')(receiver, extra.owner_identity, 276)).wait();
    await (await contract.getFunction('transfer')(receiver, 5n)).wait();
    expect(await cast(chain, address, 'balanceOf(address)(uint256)', receiver)).toBe('5');
    expect(await cast(chain, address, 'paused()(bool)')).toBe('false');
    expect(await cast(chain, address, 'totalSupply()(uint256)')).toBe('1000');
  }
});

const routerAbi = [
  'function ccipSend(uint64, (bytes receiver, bytes data, (address token, uint256 amount)[] tokenAmounts, address feeToken, bytes extraArgs)) payable returns (bytes32)',
];

// biome-ignore lint/suspicious/noExplicitAny: a REST response
async function ccipSend(token: any, [from, to]: [Chain, Chain], amount: bigint): Promise<string> {
  const receiver = Wallet.createRandom().address;
  const { token_address: address, extra_addresses: extra } = deploymentOn(token, from);
  const selector = deploymentOn(token, to).extra_addresses.chain_selector;
  await (await erc20On(token, from).getFunction('approve')(extra.router, amount)).wait();
  const encoded = AbiCoder.defaultAbiCoder().encode(['address'], [receiver]);
  const message = [encoded, '0x', [[address, amount]], nobody, '0x'];
  const router = contractOn(from, extra.router, routerAbi);
  await (await router.getFunction('ccipSend')(selector, message)).wait();
  const { token_address: there } = deploymentOn(token, to);
  await until(
    `${amount} to arrive on ${to.name}`,
    () => cast(to, there, 'balanceOf(address)(uint256)', receiver),
    (balance) => balance === String(amount),
  );
  return receiver;
}

test.each([
  ['lock-release', { liquidity: 400 }],
  ['burn-mint', {}],
])('a CCT with %s moves between chains and the total supply stays the same', async (mechanism, more) => {
  const token = await deploy(`cct/${mechanism}`, { deployments: onAll({ total_supply: '1000', ...more }) });
  const [a, b, c] = chains;
  if (!a || !b || !c) throw new Error('no chains');
  const totals = () =>
    Promise.all(chains.map((chain): Promise<bigint> => erc20On(token, chain).getFunction('totalSupply')()));
  const sum = (values: bigint[]) => values.reduce((one, other) => one + other, 0n);
  const before = await totals();
  await ccipSend(token, [a, b], 100n);
  await ccipSend(token, [c, a], 50n);
  const after = await totals();
  expect(sum(after)).toBe(sum(before));
  const isBurned = mechanism === 'burn-mint';
  expect(after[0]).toBe((before[0] ?? 0n) - (isBurned ? 50n : 0n));
});

test('an existing token can be wrapped and moved between chains', async () => {
  const [a, b] = chains;
  if (!a || !b) throw new Error('no chains');
  const plain = await deploy('erc20', {
    deployments: [a, b].map(({ id }) => ({ network_id: id, args: { total_supply: '1000' } })),
  });
  const wrapped = await deploy('cct/lock-release', {
    deployments: [a, b].map((chain) => ({
      network_id: chain.id,
      args: { underlying_token_address: deploymentOn(plain, chain).token_address },
    })),
  });
  expect(deploymentOn(wrapped, a).token_address).toBe(deploymentOn(plain, a).token_address);
  const { pool } = deploymentOn(wrapped, b).extra_addresses;
  await (await erc20On(plain, b).getFunction('approve')(pool, 100n)).wait();
  const liquidityPool = contractOn(b, pool, ['function provideLiquidity(uint256)']);
  await (await liquidityPool.getFunction('provideLiquidity')(100n)).wait();
  await ccipSend(wrapped, [a, b], 10n);
  expect(await cast(b, deploymentOn(plain, b).token_address, 'balanceOf(address)(uint256)', pool)).toBe('90');
});

test('a CCIP message that repeats the sequence number of one that was rolled back arrives', async () => {
  const [a, b] = chains;
  if (!a || !b) throw new Error('no chains');
  const token = await deploy('cct/burn-mint', {
    deployments: [a, b].map(({ id }) => ({ network_id: id, args: { total_supply: '1000' } })),
  });
  const supply = (chain: Chain): Promise<bigint> => erc20On(token, chain).getFunction('totalSupply')();
  const before = await supply(a);
  await takenBack(a, () => ccipSend(token, [a, b], 30n));
  expect(await supply(a)).toBe(before);
  await ccipSend(token, [a, b], 40n);
  await ccipSend(token, [b, a], 20n);
  expect(await supply(a)).toBe(before - 20n);
});

test('a network added to a token is connected to the existing ones', async () => {
  const [a, b, c] = chains;
  if (!a || !b || !c) throw new Error('no chains');
  const args = { total_supply: '1000' };
  const first = await deploy('cct/burn-mint', {
    deployments: [a, b].map(({ id }) => ({ network_id: id, args })),
  });
  const { status, body } = await call('POST', `${tokensPath}/${first.id}/add-deployments`, {
    body: { networks: [c.id], args },
  });
  expect([status, body.message]).toEqual([201, undefined]);
  const extended = await deployed(first.id, 3);
  expect(deploymentOn(extended, a)).toEqual(deploymentOn(first, a));
  await ccipSend(extended, [c, a], 3n);
});

test('kubectl shows the progress of a token with conditions and Events', async () => {
  const [a] = chains;
  if (!a) throw new Error('no chains');
  const token = await deploy('erc20', { deployments: [{ network_id: a.id, args: { total_supply: '5' } }] });
  const list = await kubectl(['get', 'btok', '--no-headers']);
  expect(list.stdout).toMatch(/ERC20\s+TST\s+1\/1/);
  const events = await kubectl([
    ...['get', 'events', '--field-selector', 'involvedObject.kind=Token,reason=Deployed'],
    ...['--output', 'jsonpath={.items[*].involvedObject.uid}'],
  ]);
  const found = await kubectl([
    ...['get', 'btok', '--selector', `slipway.dev/id=${token.id}`],
    ...['--output', 'jsonpath={.items[*].metadata.uid}'],
  ]);
  expect(found.stdout).not.toBe('');
  expect(events.stdout).toContain(found.stdout);
});

test('a token reports that a network it is deployed on was deleted', async () => {
  const chain = await startChain('Base', wallet);
  chain.provider.destroy();
  const token = await deploy('erc20', {
    deployments: [{ network_id: chain.id, args: { total_supply: '5' } }],
  });
  await remove(chain.id);
  const { body } = await until(
    'the message about the deleted network',
    () => call('GET', `${tokensPath}/${token.id}/deployments/${chain.id}`),
    (answer) => answer.body.message !== undefined,
  );
  expect(body.message).toContain('was deleted');
});
