import { multicall3, wrappedNative } from '../contracts.ts';
import { defineEvmChain } from '../driver.ts';

export const avalanche = defineEvmChain({
  name: 'Avalanche C-Chain',
  currency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  publicChainId: 43_114,
  chainIdPrefix: 16,
  blockTimeSeconds: 2,
  network: 'ethereum',
  hardfork: 'cancun',
  gasLimit: 30_000_000,
  baseFeeWei: 1_000_000_000,
  contracts: [
    multicall3,
    wrappedNative('0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7', { name: 'Wrapped AVAX', symbol: 'WAVAX' }),
  ],
  caveats: [
    'the C-Chain alone: no P-Chain, no X-Chain, no Warp messages',
    'base fee by EIP-1559, not by ACP-176',
  ],
});
