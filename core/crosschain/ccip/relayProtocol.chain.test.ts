import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AbiCoder, ContractFactory } from 'ethers';
import { ensurePackages, packageFolder } from '../../../hack/contracts/packages.ts';
import { threeTypes } from '../../tokens/testing/conformance.ts';
import { contractAt, type TestContract } from '../../tokens/testing/contract.ts';
import { contracts, type Deployed, deploy } from '../../tokens/testing/deploy.ts';
import { createKiller, killPoints } from '../../tokens/testing/killer.ts';
import {
  accounts,
  createDurable,
  type Hook,
  noncesOf,
  type TestNetwork,
  useNetworks,
} from '../../tokens/testing/networks.ts';
import { createMemoryPositions, relayAll } from '../../tokens/testing/relay.ts';
import { ccip, chainSelectorOf } from './ccipNetwork.ts';
import { ccipRelayProtocol } from './relayProtocol.ts';

const nobody = `0x${'0'.repeat(40)}`;
const encodeAddress = (address: string) => AbiCoder.defaultAbiCoder().encode(['address'], [address]);

/** Chainlink's own receiver for tests: it reverts on demand. */
async function deployReceiver({ chain }: TestNetwork) {
  await ensurePackages();
  const folder = packageFolder('@chainlink/contracts-ccip');
  const name = 'v1_6_0/maybe_revert_message_receiver';
  const abi = readFileSync(join(folder, 'abi', `${name}.json`), 'utf8');
  const bytecode = readFileSync(join(folder, 'bytecode', `${name}.bin`), 'utf8').trim();
  const factory = new ContractFactory(abi, bytecode, chain.wallet);
  const contract = await (await factory.deploy(false)).waitForDeployment();
  return { address: await contract.getAddress(), abi: factory.interface };
}

describe('the relay of CCIP', () => {
  const networks = useNetworks(threeTypes.slice(0, 2));
  let token: Deployed;
  let receiver: TestContract;
  const durable = createDurable();
  const positions = createMemoryPositions();
  beforeAll(async () => {
    const args = networks.map(() => ({ total_supply: '1000' }));
    token = await deploy(networks, args, { type: 'CCT', durable, plan: { mechanism: 'burn-mint' } });
    const { address, abi } = await deployReceiver(networks[1]!);
    receiver = contractAt(networks[1]!, address, abi);
  });

  const relay = (hook?: Hook) => {
    const places = networks.map(({ id }) => ({
      id,
      incarnation: 'one',
      onRamp: token.result.known.get(id, ccip.onRamp),
      offRamp: token.result.known.get(id, ccip.offRamp),
    }));
    const world = { networks, durable, positions, ...(hook ? { hook } : {}) };
    return relayAll(ccipRelayProtocol(places, contracts), world);
  };
  const selector = () => chainSelectorOf({ id: networks[1]!.id, incarnation: 'one' });
  const router = () =>
    contractAt(
      networks[0]!,
      token.result.known.get(networks[0]!.id, ccip.router),
      contracts.cct('Router').abi,
    );
  const messageTo = (to: string, data: string, amount = 0n, extraArgs = '0x') => {
    const tokens = amount ? [[token.deployments[networks[0]!.id]!.tokenAddress, amount]] : [];
    return [encodeAddress(to), data, tokens, nobody, extraArgs];
  };
  const tokenOn = (network: TestNetwork) =>
    contractAt(network, token.deployments[network.id]!.tokenAddress, contracts.cct('CrossChainToken').abi);
  const waitingCount = () => [...positions.all.values()].flatMap(({ waiting }) => waiting).length;
  const dueNow = () => {
    for (const [key, position] of positions.all) {
      const waiting = position.waiting.map((message) => ({ ...message, retryAtMs: 0 }));
      positions.all.set(key, { ...position, waiting });
    }
  };

  it('brings data and tokens to a contract that takes messages', async () => {
    await tokenOn(networks[0]!).send('approve', router().address, 500n);
    await router().send('ccipSend', selector(), messageTo(receiver.address, '0x1234', 10n));
    expect(await relay()).toEqual([]);
    const events = await networks[1]!.chain.provider.getLogs({ address: receiver.address, fromBlock: 0 });
    expect(events).toHaveLength(1);
    expect(await tokenOn(networks[1]!).ask('balanceOf', receiver.address)).toBe(10n);
  });

  it('undoes what a message brought if its receiver reverts, continues with the next one, and brings it again later', async () => {
    await receiver.send('setRevert', true);
    await router().send('ccipSend', selector(), messageTo(receiver.address, '0x55', 20n));
    await router().send('ccipSend', selector(), messageTo(accounts.deployer, '0x', 30n));
    const before = await tokenOn(networks[1]!).ask<bigint>('balanceOf', accounts.deployer);
    await relay();
    expect(await tokenOn(networks[1]!).ask('balanceOf', receiver.address)).toBe(10n);
    expect(await tokenOn(networks[1]!).ask('balanceOf', accounts.deployer)).toBe(before + 30n);
    expect(waitingCount()).toBe(1);
    await receiver.send('setRevert', false);
    dueNow();
    expect(await relay()).toEqual([]);
    expect(await tokenOn(networks[1]!).ask('balanceOf', receiver.address)).toBe(30n);
    expect(waitingCount()).toBe(0);
  });

  it('delivers each message once and in order, also when it is killed at every point', async () => {
    const before = await tokenOn(networks[1]!).ask<bigint>('balanceOf', accounts.deployer);
    const { service } = await noncesOf(networks[1]!);
    for (let index = 0; index < 8; index += 1) {
      await router().send('ccipSend', selector(), messageTo(accounts.deployer, '0x', 1n));
      const killer = createKiller(killPoints[index % 2]!, 1 + (index % 3));
      await relay(killer.hook);
    }
    expect(await relay()).toEqual([]);
    expect(await tokenOn(networks[1]!).ask('balanceOf', accounts.deployer)).toBe(before + 8n);
    expect((await noncesOf(networks[1]!)).service).toBe(service + 8);
  });

  it('does not bring again what it brought, even without its position', async () => {
    const { service } = await noncesOf(networks[1]!);
    positions.all.clear();
    durable.sent = new Map();
    expect(await relay()).toEqual([]);
    expect((await noncesOf(networks[1]!)).service).toBe(service);
  });

  it('loses no message and brings none twice when its source goes back, even though sequence numbers repeat', async () => {
    const [from, to] = [networks[0]!, networks[1]!];
    const balance = () => tokenOn(to).ask<bigint>('balanceOf', accounts.deployer);
    const before = await balance();
    const snapshot = await from.rpc.call('evm_snapshot', []);
    for (const amount of [1n, 2n, 4n])
      await router().send('ccipSend', selector(), messageTo(accounts.deployer, '0x', amount));
    expect(await relay()).toEqual([]);
    expect(await balance()).toBe(before + 7n);
    await from.rpc.call('evm_revert', [snapshot]);
    const { service } = await noncesOf(to);
    for (const amount of [8n, 16n])
      await router().send('ccipSend', selector(), messageTo(accounts.deployer, '0x', amount));
    expect(await relay()).toEqual([]);
    expect(await relay()).toEqual([]);
    expect(await balance()).toBe(before + 7n + 24n);
    expect((await noncesOf(to)).service).toBe(service + 2);
  });

  const gasArgs = (gas: bigint) =>
    `0x181dcf10${AbiCoder.defaultAbiCoder().encode(['uint256', 'bool'], [gas, true]).slice(2)}`;

  it.each([
    ['more gas than a lane gives', () => messageTo(accounts.deployer, '0x', 1n, gasArgs(3_000_001n))],
    ['a receiver that is not an address', () => ['0x1234', '0x', [], nobody, '0x']],
    ['a token without a pool', () => [encodeAddress(nobody), '0x', [[receiver.address, 1n]], nobody, '0x']],
    ['arguments of another form', () => messageTo(accounts.deployer, '0x', 1n, '0x12345678')],
  ])('is not asked for %s: the router refuses it', async (_reason, message) => {
    await expect(router().ask('getFee', selector(), message())).rejects.toThrow();
  });

  it('gives a contract no more gas than the message asks for', async () => {
    const { length } = await networks[1]!.chain.provider.getLogs({ address: receiver.address, fromBlock: 0 });
    await router().send('ccipSend', selector(), messageTo(receiver.address, '0x66', 1n, gasArgs(1000n)));
    await relay();
    const logs = await networks[1]!.chain.provider.getLogs({ address: receiver.address, fromBlock: 0 });
    expect(logs).toHaveLength(length);
    expect(waitingCount()).toBe(1);
  });
});
