import { ether } from '../chain.ts';
import { multicall3, wrappedEther } from '../contracts.ts';
import { defineEvmChain } from '../driver.ts';
import { opStackCaveats, opStackFees, opStackMessages, sequencerFeeVault } from '../opStack.ts';

export const optimism = defineEvmChain({
  name: 'OP Mainnet',
  currency: ether,
  publicChainId: 10,
  chainIdPrefix: 13,
  blockTimeSeconds: 2,
  network: 'optimism',
  hardfork: 'jovian',
  gasLimit: 40_000_000,
  baseFeeWei: 1_000_000,
  feeRecipient: sequencerFeeVault,
  contracts: [
    multicall3,
    wrappedEther('0x4200000000000000000000000000000000000006'),
    ...opStackFees({ baseFeeScalar: 5227, blobBaseFeeScalar: 1_014_213 }),
    ...opStackMessages('0x25ace71c97B33Cc4729CF772ae268934F7ab5fA1'),
  ],
  caveats: opStackCaveats,
});
