import type { TokenContracts } from '../../deploy/artifacts.ts';
import type { Known } from '../../deploy/step.ts';
import { create, type StepOwner, stepId } from '../../deploy/steps.ts';
import { type Plugin, type PluginStepsInput, pluginScope } from '../plugin.ts';
import { deployedContracts } from './contracts.ts';
import { nftDescriptor, permit2 } from './fixedContracts.ts';
import { demoPool, demoToken, poolAddressOf, poolSteps } from './pool.ts';
import { addressOf, deployFixed } from './proxy.ts';

/** Uniswap v2, v3 and v4, Permit2, the universal router and a pool with liquidity: contracts only, no pods. */
export const uniswap: Plugin<'uniswap'> = {
  name: 'uniswap',
  engines: () => [],
  services: () => ({}),
  plan: () => ({ parts: [] }),
  steps(input) {
    const owner = ownerOf(input);
    const { contracts, accounts, network } = input;
    const created = deployedContracts.map(({ name, after = [], args }) =>
      create(owner, {
        name,
        title: `deploys ${name}`,
        contract: contracts.uniswap(name),
        after: after.map((other) => stepId(network, other)),
        ...(args
          ? { args: (known: Known) => args((other) => addressIn(input, known, other), accounts.service) }
          : {}),
      }),
    );
    return [
      ...fixedContracts(contracts).map((fixed) => deployFixed(owner, fixed)),
      ...created,
      ...poolSteps({ owner, account: accounts.service, contracts }),
    ];
  },
  errorAbis: (contracts) =>
    ['NonfungiblePositionManager', 'PositionManager', 'PoolManager'].map(
      (name) => contracts.uniswap(name).abi,
    ),
  report(input, known) {
    const names = [...deployedContracts.map(({ name }) => name), 'Permit2', demoToken];
    const addresses = names.map((name) => [name, addressIn(input, known, name)] as const);
    return {
      addresses: {
        ...Object.fromEntries(addresses),
        [demoPool]: poolAddressOf(known, input.network.id),
      },
    };
  },
};

const fixedContracts = (contracts: TokenContracts) => [nftDescriptor(contracts), permit2(contracts)];

const ownerOf = ({ network }: PluginStepsInput): StepOwner => ({
  network,
  scope: pluginScope('uniswap', network),
  signer: 'service',
});

function addressIn({ contracts, network }: PluginStepsInput, known: Known, name: string): string {
  const fixed = fixedContracts(contracts).find((one) => one.name === name);
  return fixed ? addressOf(fixed) : known.get(network.id, name);
}
