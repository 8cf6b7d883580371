import { describeStandard, threeTypes } from '../testing/conformance.ts';
import { contractAt } from '../testing/contract.ts';
import { contracts, type Deployed, deploy } from '../testing/deploy.ts';
import { accounts, createDurable, noncesOf, type TestNetwork, useNetworks } from '../testing/networks.ts';
import { nobody } from './registries.ts';

const total = '1000000';
const fresh = { total_supply: total, compliance_registry: nobody };
const [first, second] = [
  '0x00000000000000000000000000000000000A11cE',
  '0x0000000000000000000000000000000000000B0b',
];

describeStandard({
  title: 'ERC3643 with restrictions',
  type: 'ERC3643',
  prepare: async (networks) => networks.map(() => ({ ...fresh, transfer_restrictions: true })),
});

describe('an ERC3643 token', () => {
  const networks = useNetworks(threeTypes);
  const durable = createDurable();

  const deployOn = (network: TestNetwork, id: string, args: object) =>
    deploy([network], [{ ...fresh, ...args }], { type: 'ERC3643', durable, plan: { id } });

  function partsOf(network: TestNetwork, deployed: Deployed) {
    expect(deployed.messages).toEqual([undefined]);
    const { tokenAddress, extraAddresses } = deployed.deployments[network.id]!;
    const abi = (name: string) => contracts.erc3643(name).abi;
    return {
      token: contractAt(network, tokenAddress, abi('TokenImplementation')),
      registry: contractAt(network, extraAddresses.identity_registry!, abi('IdentityRegistryImplementation')),
      compliance: contractAt(network, extraAddresses.compliance!, abi('ComplianceImplementation')),
      extra: extraAddresses,
    };
  }

  it('is ready for use: unpaused, owned, with an agent, its supply with the registered owner', async () => {
    for (const network of networks) {
      const { token, registry } = partsOf(network, await deployOn(network, 'ready', {}));
      expect(await token.ask('name')).toBe('Test Token');
      expect(await token.ask('decimals')).toBe(18n);
      expect(await token.ask('version')).toBe('4.1.3');
      expect(await token.ask('paused')).toBe(false);
      expect(await token.ask('owner')).toBe(accounts.deployer);
      expect(await token.ask('isAgent', accounts.deployer)).toBe(true);
      expect(await token.ask('totalSupply')).toBe(1_000_000n);
      expect(await token.ask('balanceOf', accounts.deployer)).toBe(1_000_000n);
      expect(await registry.ask('isVerified', accounts.deployer)).toBe(true);
      expect(await registry.ask('owner')).toBe(accounts.deployer);
    }
  });

  it('refuses a receiver that is not registered, and accepts one that is', async () => {
    const network = networks[0]!;
    const { token, registry, extra } = partsOf(network, await deployOn(network, 'holders', {}));
    await expect(token.send('transfer', first, 5n)).rejects.toThrow('Transfer not possible');
    await registry.send('registerIdentity', first, extra.owner_identity, 276);
    await token.send('transfer', first, 5n);
    expect(await token.ask('balanceOf', first)).toBe(5n);
  });

  it('with transfer_restrictions lets only those on the list transfer, even among registered holders', async () => {
    const network = networks[1]!;
    const deployed = await deployOn(network, 'restricted', { transfer_restrictions: true });
    const { token, registry, compliance, extra } = partsOf(network, deployed);
    for (const holder of [first, second]) {
      await registry.send('registerIdentity', holder, extra.owner_identity, 276);
    }
    await token.send('transfer', first, 50n);
    expect(await compliance.ask('canTransfer', first, second, 1n)).toBe(false);
    expect(await compliance.ask('canTransfer', first, accounts.deployer, 1n)).toBe(true);
    const open = partsOf(network, await deployOn(network, 'open', {}));
    expect(await open.compliance.ask('canTransfer', first, second, 1n)).toBe(true);
  });

  it('uses the named identity registry', async () => {
    const network = networks[2]!;
    const there = partsOf(network, await deployOn(network, 'first', {}));
    const args = { compliance_registry: there.registry.address };
    const { token, extra } = partsOf(network, await deployOn(network, 'second', args));
    expect(await token.ask('identityRegistry')).toBe(await there.token.ask('identityRegistry'));
    expect(extra.identity_registry).toBe(there.registry.address);
    expect(extra.owner_identity).toBeUndefined();
    expect(await token.ask('balanceOf', accounts.deployer)).toBe(1_000_000n);
  });

  it('uses the named compliance contract, if that serves no token yet', async () => {
    const network = networks[2]!;
    const there = partsOf(network, await deployOn(network, 'third', {}));
    const args = { compliance_registry: there.compliance.address, transfer_restrictions: true };
    const taken = await deployOn(network, 'fourth', args);
    expect(taken.messages[0]).toContain('is already bound to another token');
    await there.compliance.send('unbindToken', there.token.address);
    const retried = await deployOn(network, 'fourth', args);
    const { token, extra } = partsOf(network, retried);
    expect(extra.compliance).toBe(there.compliance.address);
    expect(String(await there.compliance.ask('getTokenBound')).toLowerCase()).toBe(token.address);
  });

  it.each([
    ['an address without code', '0x00000000000000000000000000000000000000Aa', 'there is no contract at'],
    [
      'another contract',
      '0xcA11bde05977b3631167028862bE2a173976CA11',
      'is neither a ModularCompliance nor an IdentityRegistry',
    ],
  ])('does not accept %s as a registry, and deploys nothing', async (_reason, address, reason) => {
    const network = networks[0]!;
    const before = await noncesOf(network);
    const { messages } = await deployOn(network, `wrong-${address}`, { compliance_registry: address });
    expect(messages[0]).toContain(`compliance_registry: `);
    expect(messages[0]).toContain(reason);
    const { deployer } = await noncesOf(network);
    expect(deployer).toBe(before.deployer);
  });
});
