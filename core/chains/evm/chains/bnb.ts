import { defineEvmChain } from '../chain.ts';
import { multicall3, wrappedNative } from '../contracts.ts';

export const bnb = defineEvmChain({
  type: 'BNB',
  name: 'BNB Smart Chain',
  currency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
  publicChainId: 56,
  // Testnet.
  relatedChainIds: [97],
  chainIdPrefix: 15,
  blockTimeSeconds: 0.45,
  network: 'ethereum',
  hardfork: 'osaka',
  gasLimit: 70_000_000,
  baseFeeWei: 0,
  real: { client: 'bsc' },
  contracts: [
    multicall3,
    wrappedNative('0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', { name: 'Wrapped BNB', symbol: 'WBNB' }),
  ],
  caveats: ['no validators: no system contracts for staking, slashing and governance at 0x1000 and above'],
  limits: ['no precompiles specific to BNB Smart Chain'],
  remark: 'The base fee starts at 0 and stays there while blocks are at most half full.',
});
