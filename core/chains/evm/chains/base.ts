import { defineOpStackChain } from '../opStack.ts';

export const base = defineOpStackChain({
  type: 'Base',
  name: 'Base',
  publicChainId: 8453,
  // Sepolia.
  relatedChainIds: [84_532],
  chainIdPrefix: 14,
  blockTimeSeconds: 2,
  hardfork: 'jovian',
  gasLimit: 200_000_000,
  baseFeeWei: 200_000,
  scalars: { baseFeeScalar: 2269, blobBaseFeeScalar: 1_055_762 },
  l1Messenger: '0x866E82a600A1414e583f7F13623F1aC5d58b0Afa',
});
