import type { TokenArgs } from '../../api/rules/tokenArgs.ts';
import { ccip, ccipNetworkSteps, chainSelectorOf } from '../../crosschain/ccip/ccipNetwork.ts';
import { threeTypes } from '../testing/conformance.ts';
import { contractAt } from '../testing/contract.ts';
import { contracts, deploy } from '../testing/deploy.ts';
import { accounts, createDurable, noncesOf, portsOf, useNetworks } from '../testing/networks.ts';

describe('a CCT token beside others', () => {
  const networks = useNetworks(threeTypes);
  const durable = createDurable();

  const fresh = () => networks.map(() => ({ total_supply: '1000' }));
  const deployCct = (args: TokenArgs[], id: string, mechanism: 'burn-mint' | 'lock-release' = 'burn-mint') =>
    deploy(networks.slice(0, args.length), args, { type: 'CCT', durable, plan: { id, mechanism } });

  it('shares router and registry with one that is deployed at the same time: each exists once', async () => {
    const [one, other] = await Promise.all([
      deployCct(fresh(), 'one'),
      deployCct(fresh(), 'other', 'lock-release'),
    ]);
    expect([...one.messages, ...other.messages]).toEqual(Array.from({ length: 6 }, () => undefined));
    const shared = ccipNetworkSteps({ id: '', incarnation: '' }, '', contracts).length;
    for (const network of networks) {
      const { router } = one.deployments[network.id]!.extraAddresses;
      expect(other.deployments[network.id]!.extraAddresses.router).toBe(router);
      // The contracts, two lanes, and an administrator for each token.
      expect((await noncesOf(network)).service).toBe(shared + 2 + 2);
    }
  });

  it('knows the pools of all other networks, and none on its own', async () => {
    const token = await deployCct(fresh(), 'wired');
    for (const from of networks) {
      const pool = contractAt(
        from,
        token.deployments[from.id]!.extraAddresses.pool!,
        contracts.cct('BurnMintPool').abi,
      );
      const remotes = await pool.ask<bigint[]>('getSupportedChains');
      const others = networks.filter((to) => to !== from);
      const selectors = others.map(({ id }) => chainSelectorOf({ id, incarnation: 'one' }));
      expect([...remotes].sort()).toEqual(selectors.sort());
      for (const to of others) {
        const selector = chainSelectorOf({ id: to.id, incarnation: 'one' });
        const [remote] = await pool.ask<string[]>('getRemotePools', selector);
        expect(remote).toContain(token.deployments[to.id]!.extraAddresses.pool!.slice(2));
      }
    }
  });

  it('takes a further network and changes nothing but the lanes on existing ones', async () => {
    const two = await deployCct(fresh().slice(0, 2), 'growing');
    const three = await deployCct(fresh(), 'growing');
    expect(three.messages).toEqual([undefined, undefined, undefined]);
    for (const { id } of networks.slice(0, 2)) expect(three.deployments[id]).toEqual(two.deployments[id]);
    const pool = contractAt(
      networks[0]!,
      three.deployments[networks[0]!.id]!.extraAddresses.pool!,
      contracts.cct('BurnMintPool').abi,
    );
    expect(await pool.ask<bigint[]>('getSupportedChains')).toHaveLength(2);
  });

  const wrap = (address: string, id: string, mechanism: 'burn-mint' | 'lock-release' = 'burn-mint') =>
    deployCct([{ underlying_token_address: address }], id, mechanism);

  it.each([
    ['an address without code', '0x00000000000000000000000000000000000000Aa', 'there is no contract at'],
    ['what is not a token', '0xcA11bde05977b3631167028862bE2a173976CA11', 'is not an ERC-20 token'],
  ])('does not wrap %s', async (_reason, address, reason) => {
    const { messages } = await wrap(address, `wrong-${address}`);
    expect(messages[0]).toContain('underlying_token_address');
    expect(messages[0]).toContain(reason);
  });

  it('does not burn and mint a token that has no such functions, but locks it', async () => {
    const wrapped = contractAt(networks[0]!, ...(await wrappedNative()));
    const refused = await wrap(wrapped.address, 'unmintable');
    expect(refused.messages[0]).toContain('has no function mint and burn');
    const { messages } = await wrap(wrapped.address, 'lockable', 'lock-release');
    expect(messages).toEqual([undefined]);
    const again = await wrap(wrapped.address, 'lockable-again', 'lock-release');
    expect(again.messages[0]).toContain('is already registered with another pool on this network');
  });

  async function wrappedNative() {
    const one = await deployCct(fresh(), 'one');
    const address = one.result.known.get(networks[0]!.id, ccip.wrappedNative);
    return [address, contracts.cct('WrappedNative').abi] as const;
  }

  it('waits for the owner of a wrapped token to let the pool mint, and then continues', async () => {
    const network = networks[0]!;
    const owned = await deployCct([{ total_supply: '1000' }], 'owned');
    const { abi } = contracts.cct('CrossChainToken');
    const { tokenAddress } = owned.deployments[network.id]!;
    const taken = await wrap(tokenAddress, 'taken');
    expect(taken.messages[0]).toContain('is already registered with another pool');
    const elsewhere = await deploy([network], [{ total_supply: '1000' }], {
      type: 'CCT',
      plan: { id: 'unregistered', mechanism: 'burn-mint' },
      durable: createDurable(),
    });
    const token = contractAt(network, elsewhere.deployments[network.id]!.tokenAddress, abi);
    const admin = `0x${'0'.repeat(64)}`;
    await token.send('grantRole', admin, accounts.service);
    await token.send('renounceRole', admin, accounts.deployer);
    const refused = await wrap(token.address, 'ungranted');
    const pool = /grant both on 0x\w+ to the pool (0x\w+)/.exec(refused.messages[0] ?? '')?.[1];
    const chain = await portsOf(networks, durable).chain(network.id);
    const data = abi.encodeFunctionData('grantMintAndBurnRoles', [pool]);
    const hash = await chain.send('grant', { to: token.address, data }, 'service');
    await network.chain.provider.waitForTransaction(hash);
    const { messages, deployments } = await wrap(token.address, 'ungranted');
    expect(messages).toEqual([undefined]);
    expect(deployments[network.id]?.extraAddresses.pool).toBe(pool);
  });
});
