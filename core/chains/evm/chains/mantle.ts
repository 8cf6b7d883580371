import { multicall3, wrappedNative } from '../contracts.ts';
import { defineEvmChain } from '../driver.ts';
import { opStackCaveats, opStackFees, sequencerFeeVault } from '../opStack.ts';

export const mantle = defineEvmChain({
  name: 'Mantle',
  currency: { name: 'Mantle', symbol: 'MNT', decimals: 18 },
  publicChainId: 5000,
  chainIdPrefix: 18,
  blockTimeSeconds: 2,
  network: 'optimism',
  hardfork: 'jovian',
  gasLimit: 60_000_000,
  baseFeeWei: 20_000_000,
  feeRecipient: sequencerFeeVault,
  contracts: [
    multicall3,
    wrappedNative('0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8', { name: 'Wrapped Mantle', symbol: 'WMNT' }),
    ...opStackFees({ baseFeeScalar: 5227, blobBaseFeeScalar: 1_014_213 }),
  ],
  caveats: [
    ...opStackCaveats,
    'no bridged ether (BVM_ETH), no message passer, no price of MNT in ether in the fee for L1',
  ],
});
