import { defineEvmChain } from '../chain.ts';
import { multicall3, wrappedNative } from '../contracts.ts';

export const fantom = defineEvmChain({
  type: 'Fantom',
  name: 'Fantom Opera',
  currency: { name: 'Fantom', symbol: 'FTM', decimals: 18 },
  publicChainId: 250,
  // Testnet.
  relatedChainIds: [4002],
  chainIdPrefix: 17,
  blockTimeSeconds: 1,
  network: 'ethereum',
  // No PUSH0: contracts are compiled for London.
  hardfork: 'london',
  gasLimit: 30_000_000,
  baseFeeWei: 1_000_000_000,
  real: { refusal: 'its client Opera is no longer maintained' },
  contracts: [
    multicall3,
    wrappedNative('0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83', { name: 'Wrapped Fantom', symbol: 'WFTM' }),
  ],
  caveats: ['no Lachesis consensus and no staking contract (SFC)'],
  remark:
    'The rules are those of London: compile without PUSH0 (`evmVersion: london`), as for the public chain.',
});
