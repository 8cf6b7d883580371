import { defineOpStackChain } from '../opStack.ts';

export const optimism = defineOpStackChain({
  type: 'Optimism',
  name: 'OP Mainnet',
  publicChainId: 10,
  // Goerli, Sepolia.
  relatedChainIds: [420, 11_155_420],
  chainIdPrefix: 13,
  blockTimeSeconds: 2,
  hardfork: 'jovian',
  gasLimit: 40_000_000,
  baseFeeWei: 1_000_000,
  scalars: { baseFeeScalar: 5227, blobBaseFeeScalar: 1_014_213 },
  l1Messenger: '0x25ace71c97B33Cc4729CF772ae268934F7ab5fA1',
});
