import { defineEvmChain, ether } from '../chain.ts';
import { multicall3, wrappedEther } from '../contracts.ts';
import {
  opStackCaveats,
  opStackFees,
  opStackLimits,
  opStackMessages,
  opStackRemark,
  sequencerFeeVault,
} from '../opStack.ts';

const scalars = { baseFeeScalar: 2269, blobBaseFeeScalar: 1_055_762 };

export const base = defineEvmChain({
  type: 'Base',
  name: 'Base',
  currency: ether,
  publicChainId: 8453,
  // Sepolia.
  relatedChainIds: [84_532],
  chainIdPrefix: 14,
  blockTimeSeconds: 2,
  network: 'optimism',
  hardfork: 'jovian',
  gasLimit: 200_000_000,
  baseFeeWei: 200_000,
  feeRecipient: sequencerFeeVault,
  real: { client: 'op-geth' },
  l1: scalars,
  contracts: [
    multicall3,
    wrappedEther('0x4200000000000000000000000000000000000006'),
    ...opStackFees(scalars),
    ...opStackMessages('0x866E82a600A1414e583f7F13623F1aC5d58b0Afa'),
  ],
  caveats: opStackCaveats,
  limits: opStackLimits,
  remark: opStackRemark(scalars),
});
