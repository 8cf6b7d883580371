import { type ChainType, chainTypeNames, chainTypes, isEvmChain } from './chainSpecs.ts';
import type { ChainSpec } from './network.ts';
import type { PluginConfig } from './plugins.ts';

it('the types of the compiler are as exact as the schemas', () => {
  const chains: ChainSpec[] = [
    { type: 'ZKSync', zksync: { plugins: { vrf: { type: 'mpc' } } } },
    // @ts-expect-error: there is no such type.
    { type: 'Zksync', zksync: {} },
    // @ts-expect-error: there is no such member.
    { type: 'ZKSync', zkSync: {} },
    // @ts-expect-error: uniswap is a plugin of Ethereum alone.
    { type: 'Base', base: { plugins: { uniswap: {} } } },
    { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, plugins: { uniswap: {} } } },
  ];
  // @ts-expect-error: there is no such kind of VRF.
  const config: PluginConfig<'vrf'> = { type: 'vrfv1' };
  expect([chains.length, config.type]).toEqual([5, 'vrfv1']);
});

const others: ChainType[] = ['Solana', 'LayerZero', 'Thorchain'];
it('every type but those of other families is an EVM, configured by the member of its name', () => {
  expect(chainTypeNames.filter((type) => !isEvmChain(type))).toEqual(others);
  expect(chainTypeNames.map((type) => chainTypes[type].member)).toEqual(
    chainTypeNames.map((type) => type.toLowerCase()),
  );
});
