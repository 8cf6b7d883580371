import { ether } from '../chain.ts';
import { multicall3, wrappedEther } from '../contracts.ts';
import { defineEvmChain } from '../driver.ts';
import { opStackCaveats, opStackFees, opStackMessages, sequencerFeeVault } from '../opStack.ts';

export const base = defineEvmChain({
  name: 'Base',
  currency: ether,
  publicChainId: 8453,
  chainIdPrefix: 14,
  blockTimeSeconds: 2,
  network: 'optimism',
  hardfork: 'jovian',
  gasLimit: 200_000_000,
  baseFeeWei: 200_000,
  feeRecipient: sequencerFeeVault,
  contracts: [
    multicall3,
    wrappedEther('0x4200000000000000000000000000000000000006'),
    ...opStackFees({ baseFeeScalar: 2269, blobBaseFeeScalar: 1_055_762 }),
    ...opStackMessages('0x866E82a600A1414e583f7F13623F1aC5d58b0Afa'),
  ],
  caveats: opStackCaveats,
});
