import { AbiCoder } from 'ethers';
import type { TokenArgs } from '../../api/rules/tokenArgs.ts';
import { ccip } from '../../crosschain/ccip/ccipNetwork.ts';
import { ccipRelayProtocol } from '../../crosschain/ccip/relayProtocol.ts';
import { describeStandard, threeTypes } from '../testing/conformance.ts';
import { contractAt } from '../testing/contract.ts';
import { contracts, type Deployed, deploy } from '../testing/deploy.ts';
import { accounts, createDurable, type TestNetwork, useNetworks } from '../testing/networks.ts';
import { createMemoryPositions, relayAll } from '../testing/relay.ts';

const fresh = (args: TokenArgs) => async (networks: TestNetwork[]) => networks.map(() => args);

describeStandard({
  title: 'CCT, burned and minted',
  type: 'CCT',
  plan: { mechanism: 'burn-mint' },
  prepare: fresh({ total_supply: '1000000', recipient: '' }),
});

describeStandard({
  title: 'CCT, locked and released',
  type: 'CCT',
  plan: { mechanism: 'lock-release' },
  prepare: fresh({ total_supply: '1000000', liquidity: 400_000 }),
});

const tokenAbi = contracts.cct('CrossChainToken').abi;
const encodeAddress = (address: string) => AbiCoder.defaultAbiCoder().encode(['address'], [address]);

describe('a CCT token that moves', () => {
  const networks = useNetworks(threeTypes);
  const durable = createDurable();
  const positions = createMemoryPositions();

  const relay = ({ result: { known } }: Deployed) => {
    const places = networks.map(({ id }) => ({
      id,
      incarnation: 'one',
      onRamp: known.get(id, ccip.onRamp),
      offRamp: known.get(id, ccip.offRamp),
    }));
    return relayAll(ccipRelayProtocol(places, contracts), { networks, durable, positions });
  };
  const deployCct = (args: TokenArgs[], plan: { id: string; mechanism: 'burn-mint' | 'lock-release' }) =>
    deploy(networks, args, { type: 'CCT', plan, durable });

  /** As a user does it: approve the router, ask for the fee, send. */
  async function ccipSend(deployed: Deployed, [from, to]: [TestNetwork, TestNetwork], amount: bigint) {
    const { tokenAddress, extraAddresses } = deployed.deployments[from.id]!;
    const router = contractAt(from, extraAddresses.router!, contracts.cct('Router').abi);
    const token = contractAt(from, tokenAddress, tokenAbi);
    await token.send('approve', router.address, amount);
    const message = [encodeAddress(accounts.deployer), '0x', [[tokenAddress, amount]], nobody, '0x'];
    const selector = deployed.deployments[to.id]!.extraAddresses.chain_selector!;
    const fee = await router.ask<bigint>('getFee', selector, message);
    await router.pay(fee, 'ccipSend', selector, message);
  }
  const tokenOf = (deployed: Deployed, network: TestNetwork) =>
    contractAt(network, deployed.deployments[network.id]!.tokenAddress, tokenAbi);
  const suppliesOf = (deployed: Deployed) =>
    Promise.all(
      networks.map(async (network): Promise<bigint> => tokenOf(deployed, network).ask<bigint>('totalSupply')),
    );
  const balanceOf = async (
    deployed: Deployed,
    network: TestNetwork,
    holder = accounts.deployer,
  ): Promise<bigint> => tokenOf(deployed, network).ask<bigint>('balanceOf', holder);
  const poolOf = (deployed: Deployed, { id }: TestNetwork) => deployed.deployments[id]!.extraAddresses.pool!;

  it('burned on one chain, minted on another: the total across chains stays the same', async () => {
    const args = [
      { total_supply: '1000', initial_supply: '600' },
      { total_supply: '500' },
      { total_supply: '7' },
    ];
    const token = await deployCct(args, { id: 'burned', mechanism: 'burn-mint' });
    expect(token.messages).toEqual([undefined, undefined, undefined]);
    expect(await suppliesOf(token)).toEqual([600n, 500n, 7n]);
    await ccipSend(token, [networks[0]!, networks[1]!], 600n);
    await ccipSend(token, [networks[1]!, networks[2]!], 100n);
    expect(await relay(token)).toEqual([]);
    expect(await suppliesOf(token)).toEqual([0n, 1000n, 107n]);
    expect(await balanceOf(token, networks[2]!)).toBe(107n);
    await ccipSend(token, [networks[2]!, networks[0]!], 107n);
    expect(await relay(token)).toEqual([]);
    expect(await suppliesOf(token)).toEqual([107n, 1000n, 0n]);
  });

  it('locked on one chain, released on another; a pool that runs dry delivers once it is filled', async () => {
    const args = [
      { total_supply: '1000', liquidity: 50 },
      { total_supply: '1000', liquidity: 100 },
      { total_supply: '5' },
    ];
    const token = await deployCct(args, { id: 'locked', mechanism: 'lock-release' });
    expect(token.messages).toEqual([undefined, undefined, undefined]);
    const [a, b] = [networks[0]!, networks[1]!];
    expect(await balanceOf(token, a, poolOf(token, a))).toBe(50n);
    expect(await balanceOf(token, a)).toBe(950n);
    await ccipSend(token, [a, b], 90n);
    await ccipSend(token, [a, b], 30n);
    await ccipSend(token, [a, b], 4n);
    await relay(token);
    expect(await suppliesOf(token)).toEqual([1000n, 1000n, 5n]);
    expect(await balanceOf(token, a)).toBe(950n - 124n);
    expect(await balanceOf(token, b)).toBe(900n + 94n);
    const pool = contractAt(b, poolOf(token, b), contracts.cct('LockReleasePool').abi);
    await tokenOf(token, b).send('approve', pool.address, 40n);
    await pool.send('provideLiquidity', 40n);
    for (const [key, position] of positions.all) {
      positions.all.set(key, {
        ...position,
        waiting: position.waiting.map((message) => ({ ...message, retryAtMs: 0 })),
      });
    }
    expect(await relay(token)).toEqual([]);
    expect(await balanceOf(token, b)).toBe(900n + 94n - 40n + 30n);
  });

  it('existing tokens with other decimals are wrapped by both mechanisms', async () => {
    const own = await deploy(
      networks,
      networks.map(() => ({ total_supply: '10000' })),
      {
        type: 'CCT',
        plan: { id: 'earlier', mechanism: 'burn-mint', decimals: 6 },
        durable: createDurable(),
      },
    );
    const erc20 = await deploy(
      networks,
      networks.map(() => ({ total_supply: '10000' })),
      {
        type: 'ERC20',
        plan: { id: 'plain', decimals: 9 },
      },
    );
    for (const [mechanism, there] of [
      ['burn-mint', own],
      ['lock-release', erc20],
    ] as const) {
      const args = networks.map(({ id }) => ({
        underlying_token_address: there.deployments[id]!.tokenAddress,
      }));
      const token = await deployCct(args, { id: `wrapped-${mechanism}`, mechanism });
      expect(token.messages).toEqual([undefined, undefined, undefined]);
      const decimals = mechanism === 'burn-mint' ? '6' : '9';
      expect(token.deployments[networks[0]!.id]?.extraAddresses).toMatchObject({ decimals });
      if (mechanism === 'lock-release') {
        const pool = poolOf(token, networks[1]!);
        await tokenOf(token, networks[1]!).send('transfer', pool, 500n);
      }
      const before = await balanceOf(token, networks[1]!);
      await ccipSend(token, [networks[0]!, networks[1]!], 77n);
      expect(await relay(token)).toEqual([]);
      expect(await balanceOf(token, networks[0]!)).toBe(10_000n - 77n);
      expect(await balanceOf(token, networks[1]!)).toBe(before + 77n);
    }
  });
});

const nobody = `0x${'0'.repeat(40)}`;
