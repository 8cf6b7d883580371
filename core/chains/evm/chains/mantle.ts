import { defineEvmChain } from '../chain.ts';
import { multicall3, wrappedNative } from '../contracts.ts';
import { opStackCaveats, opStackFees, opStackRemark, sequencerFeeVault } from '../opStack.ts';

const scalars = { baseFeeScalar: 5227, blobBaseFeeScalar: 1_014_213 };

export const mantle = defineEvmChain({
  type: 'Mantle',
  name: 'Mantle',
  currency: { name: 'Mantle', symbol: 'MNT', decimals: 18 },
  publicChainId: 5000,
  // Sepolia.
  relatedChainIds: [5003],
  chainIdPrefix: 18,
  blockTimeSeconds: 2,
  network: 'optimism',
  hardfork: 'jovian',
  gasLimit: 60_000_000,
  baseFeeWei: 20_000_000,
  feeRecipient: sequencerFeeVault,
  real: { client: 'op-geth' },
  l1: scalars,
  contracts: [
    multicall3,
    wrappedNative('0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8', { name: 'Wrapped Mantle', symbol: 'WMNT' }),
    ...opStackFees(scalars),
  ],
  caveats: [
    ...opStackCaveats,
    'no bridged ether (BVM_ETH), no message passer, no MNT/ETH price in the L1 fee',
  ],
  limits: ["no contracts with Mantle's own messenger interface"],
  remark: opStackRemark(scalars, 'Optimism'),
});
