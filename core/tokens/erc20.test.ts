import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describeStandard, threeTypes } from './conformance.ts';
import { contracts, deploy } from './testing/deploy.ts';
import { accounts, createDurable, noncesOf, startNetworks, type TestNetwork } from './testing/networks.ts';

const someone = '0x00000000000000000000000000000000000A11cE';
const total = 10n ** 24n;

describeStandard({
  title: 'ERC20',
  type: 'ERC20',
  prepare: async (networks) => networks.map(() => ({ total_supply: `${total}`, initial_supply: '1000' })),
});

describe('an ERC20 token', () => {
  let networks: TestNetwork[];
  beforeAll(async () => {
    networks = await startNetworks(threeTypes);
  }, 60_000);
  afterAll(() => Promise.all(networks.map(({ chain }) => chain.stop())));

  async function tokenOn(network: TestNetwork, args: object, plan = {}) {
    const { deployments, messages } = await deploy([network], [{ total_supply: `${total}`, ...args }], {
      type: 'ERC20',
      plan: { decimals: 6, ...plan },
    });
    expect(messages).toEqual([undefined]);
    const address = deployments[network.id]!.tokenAddress;
    return network.chain.contractAt(
      address,
      [contracts.erc20('CappedToken').abi.formatJson()].flatMap((text) => JSON.parse(text)),
    );
  }

  it('mints its whole supply to the deployer unless told otherwise', async () => {
    for (const network of networks) {
      const token = await tokenOn(network, {});
      expect(await token.name()).toBe('Test Token');
      expect(await token.symbol()).toBe('TST');
      expect(await token.decimals()).toBe(6n);
      expect(await token.owner()).toBe(accounts.deployer);
      expect(await token.totalSupply()).toBe(total);
      expect(await token.cap()).toBe(total);
      expect(await token.balanceOf(accounts.deployer)).toBe(total);
      await (await token.transfer(someone, 5n)).wait();
      expect(await token.balanceOf(someone)).toBe(5n);
    }
  });

  it('is capped at total_supply, up to which its owner mints', async () => {
    const token = await tokenOn(networks[0]!, { initial_supply: '100' });
    expect(await token.totalSupply()).toBe(100n);
    await (await token.mint(someone, total - 100n)).wait();
    expect(await token.totalSupply()).toBe(total);
    await expect(token.mint(someone, 1n)).rejects.toThrow(/ERC20ExceededCap|reverted/);
  });

  it('gives supply and ownership to the owner that is named', async () => {
    const token = await tokenOn(networks[1]!, { owner: someone, initial_supply: '100' });
    expect(await token.owner()).toBe(someone);
    expect(await token.balanceOf(someone)).toBe(100n);
    expect(await token.balanceOf(accounts.deployer)).toBe(0n);
  });

  it('is read by Foundry’s cast as well', async () => {
    const network = networks[2]!;
    const token = await tokenOn(network, {});
    expect(cast(network, String(token.target), 'totalSupply()(uint256)')).toBe(`${total} [1e24]`);
    expect(cast(network, String(token.target), 'decimals()(uint8)')).toBe('6');
    expect(cast(network, String(token.target), 'owner()(address)')).toBe(accounts.deployer);
  });

  it('that a contract refuses fails for good, says why, and is tried again only when asked', async () => {
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
  `../../node_modules/@foundry-rs/cast-${process.platform}-${architecture}/bin/cast`,
);

function cast({ chain }: TestNetwork, address: string, signature: string): string {
  return execFileSync(castBinary, ['call', address, signature, '--rpc-url', chain.url]).toString().trim();
}
