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

const scalars = { baseFeeScalar: 5227, blobBaseFeeScalar: 1_014_213 };

export const optimism = defineEvmChain({
  type: 'Optimism',
  name: 'OP Mainnet',
  currency: ether,
  publicChainId: 10,
  // Goerli, Sepolia.
  relatedChainIds: [420, 11_155_420],
  chainIdPrefix: 13,
  blockTimeSeconds: 2,
  network: 'optimism',
  hardfork: 'jovian',
  gasLimit: 40_000_000,
  baseFeeWei: 1_000_000,
  feeRecipient: sequencerFeeVault,
  real: { client: 'op-geth' },
  l1: scalars,
  contracts: [
    multicall3,
    wrappedEther('0x4200000000000000000000000000000000000006'),
    ...opStackFees(scalars),
    ...opStackMessages('0x25ace71c97B33Cc4729CF772ae268934F7ab5fA1'),
  ],
  caveats: opStackCaveats,
  limits: opStackLimits,
  remark: opStackRemark(scalars),
});
