import { defineEvmChain } from '../chain.ts';
import { multicall3, wrappedNative } from '../contracts.ts';

export const avalanche = defineEvmChain({
  type: 'Avalanche',
  name: 'Avalanche C-Chain',
  currency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  publicChainId: 43_114,
  // Fuji.
  relatedChainIds: [43_113],
  chainIdPrefix: 16,
  blockTimeSeconds: 2,
  network: 'ethereum',
  hardfork: 'cancun',
  gasLimit: 30_000_000,
  baseFeeWei: 1_000_000_000,
  real: { client: 'avalanchego' },
  contracts: [
    multicall3,
    wrappedNative('0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7', { name: 'Wrapped AVAX', symbol: 'WAVAX' }),
  ],
  caveats: [
    'only the C-Chain: no P-Chain, no X-Chain, no Warp messages',
    'base fee per EIP-1559, not per ACP-176',
  ],
  limits: ['no secp256r1 precompile (ACP-204), blob transactions are not refused'],
});
