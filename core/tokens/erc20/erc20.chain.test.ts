import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describeStandard, threeTypes } from '../testing/conformance.ts';
import { contractAt } from '../testing/contract.ts';
import { contracts, deploy } from '../testing/deploy.ts';
import { accounts, createDurable, noncesOf, type TestNetwork, useNetworks } from '../testing/networks.ts';

const someone = '0x00000000000000000000000000000000000A11cE';
const total = 10n ** 24n;

describeStandard({
  title: 'ERC20',
  type: 'ERC20',
  prepare: async (networks) => networks.map(() => ({ total_supply: `${total}`, initial_supply: '1000' })),
});

describe('an ERC20 token', () => {
  const networks = useNetworks(threeTypes);

  async function tokenOn(network: TestNetwork, args: object, plan = {}) {
    const { deployments, messages } = await deploy([network], [{ total_supply: `${total}`, ...args }], {
      type: 'ERC20',
      plan: { decimals: 6, ...plan },
    });
    expect(messages).toEqual([undefined]);
    const address = deployments[network.id]!.tokenAddress;
    return contractAt(network, address, contracts.erc20('CappedToken').abi);
  }

  it('mints its whole supply to the deployer unless specified otherwise', async () => {
    for (const network of networks) {
      const token = await tokenOn(network, {});
      expect(await token.ask('name')).toBe('Test Token');
      expect(await token.ask('symbol')).toBe('TST');
      expect(await token.ask('decimals')).toBe(6n);
      expect(await token.ask('owner')).toBe(accounts.deployer);
      expect(await token.ask('totalSupply')).toBe(total);
      expect(await token.ask('cap')).toBe(total);
      expect(await token.ask('balanceOf', accounts.deployer)).toBe(total);
      await token.send('transfer', someone, 5n);
      expect(await token.ask('balanceOf', someone)).toBe(5n);
    }
  });

  it('is capped at total_supply, up to which its owner mints', async () => {
    const token = await tokenOn(networks[0]!, { initial_supply: '100' });
    expect(await token.ask('totalSupply')).toBe(100n);
    await token.send('mint', someone, total - 100n);
    expect(await token.ask('totalSupply')).toBe(total);
    await expect(token.send('mint', someone, 1n)).rejects.toThrow(/ERC20ExceededCap|reverted/);
  });

  it('gives supply and ownership to the named owner', async () => {
    const token = await tokenOn(networks[1]!, { owner: someone, initial_supply: '100' });
    expect(await token.ask('owner')).toBe(someone);
    expect(await token.ask('balanceOf', someone)).toBe(100n);
    expect(await token.ask('balanceOf', accounts.deployer)).toBe(0n);
  });

  it("is also readable by Foundry's cast", async () => {
    const network = networks[2]!;
    const token = await tokenOn(network, {});
    expect(cast(network, token.address, 'totalSupply()(uint256)')).toBe(`${total} [1e24]`);
    expect(cast(network, token.address, 'decimals()(uint8)')).toBe('6');
    expect(cast(network, token.address, 'owner()(address)')).toBe(accounts.deployer);
  });

  it('that a contract refuses fails permanently, says why, and is retried only on request', async () => {
    const durable = createDurable();
    const network = networks[0]!;
    const args = { total_supply: '10', initial_supply: '11' };
    const before = await noncesOf(network);
    const first = await deploy([network], [args], { type: 'ERC20', durable, plan: { id: 'refused' } });
    expect(first.messages).toEqual(['deploys the token: reverted with ERC20ExceededCap(11, 10)']);
    expect(first.result.outcomes.get(`${network.id}/token`)?.state).toBe('failed');
    expect(await noncesOf(network)).toEqual(before);
  });
});

const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const castBinary = join(
  import.meta.dirname,
  `../../../node_modules/@foundry-rs/cast-${process.platform}-${architecture}/bin/cast`,
);

function cast({ chain }: TestNetwork, address: string, signature: string): string {
  return execFileSync(castBinary, ['call', address, signature, '--rpc-url', chain.url]).toString().trim();
}
