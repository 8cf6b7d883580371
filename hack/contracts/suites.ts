import type { ContractSource } from '../../core/tokens/definition.ts';
import { tokenDefinitions } from '../../core/tokens/registry.ts';

const layerZero = (path: string): ContractSource => ({
  package: '@layerzerolabs/lz-evm-protocol-v2',
  artifact: `artifacts/contracts/${path}.sol/${path.split('/').at(-1)}.json`,
});

/** The contracts of each suite, by the name that core/ knows them by. One suite makes one file. */
export const contractSuites: Record<string, Record<string, ContractSource>> = {
  ...Object.fromEntries(tokenDefinitions.map(({ folder, contracts }) => [folder, contracts])),
  layerzero: {
    Endpoint: layerZero('EndpointV2'),
    MessageLib: layerZero('messagelib/SimpleMessageLib'),
  },
};
