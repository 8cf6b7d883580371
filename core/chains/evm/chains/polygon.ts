import { defineEvmChain } from '../chain.ts';
import { multicall3, wrappedNative } from '../contracts.ts';

const wrappedPol = { name: 'Wrapped Polygon Ecosystem Token', symbol: 'WPOL' };

export const polygon = defineEvmChain({
  type: 'Polygon',
  name: 'Polygon PoS',
  currency: { name: 'POL', symbol: 'POL', decimals: 18 },
  publicChainId: 137,
  // Amoy.
  relatedChainIds: [80_002],
  chainIdPrefix: 20,
  blockTimeSeconds: 2,
  network: 'ethereum',
  hardfork: 'osaka',
  gasLimit: 45_000_000,
  osakaGasCap: 32_000_000,
  baseFeeWei: 25_000_000_000,
  real: { refusal: 'Bor makes no blocks without Heimdall and an L1' },
  contracts: [
    multicall3,
    wrappedNative('0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', wrappedPol),
    {
      address: '0x0000000000000000000000000000000000001010',
      contract: 'NativeToken',
      title: 'POL as a token',
      purpose: 'name, symbol, decimals, balanceOf, totalSupply, payable transfer',
    },
  ],
  caveats: [
    'no validators, no Heimdall, no state sync from Ethereum',
    'plain transfers write no log at 0x0000000000000000000000000000000000001010',
  ],
});
