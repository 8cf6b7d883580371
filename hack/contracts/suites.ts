import type { ContractSource } from '../../core/tokens/definition.ts';
import { tokenDefinitions } from '../../core/tokens/registry.ts';
import { uniswapContracts } from './uniswap.ts';

const layerZero = (path: string): ContractSource => ({
  package: '@layerzerolabs/lz-evm-protocol-v2',
  artifact: `artifacts/contracts/${path}.sol/${path.split('/').at(-1)}.json`,
});

const named = (kind: 'own' | 'chainlink', names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { [kind]: name } as ContractSource]));

/** The contracts of each suite, under the names that core/tokens and core/plugins use. Each suite becomes one file. */
export const contractSuites: Record<string, Record<string, ContractSource>> = {
  ...Object.fromEntries(tokenDefinitions.map(({ folder, contracts }) => [folder, contracts])),
  layerzero: {
    Endpoint: layerZero('EndpointV2'),
    MessageLib: layerZero('messagelib/SimpleMessageLib'),
  },
  chainlink: {
    ...named('chainlink', [
      'LinkToken',
      'Operator',
      'VRFCoordinatorV2_5',
      'VRFV2PlusWrapper',
      'BlockhashStore',
    ]),
    ...named('chainlink', ['BatchBlockhashStore', 'BatchVRFCoordinatorV2Plus']),
    ...named('own', ['PriceFeed', 'LinkFaucet']),
  },
  uniswap: uniswapContracts,
  vrf: named('own', ['MpcCoordinator', 'DemoSubscription', 'Dice', 'DirectDice']),
};
