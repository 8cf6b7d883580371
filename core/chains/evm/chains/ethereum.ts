import { defineEvmChain, ether } from '../chain.ts';
import { multicall3, wrappedEther } from '../contracts.ts';

export const ethereum = defineEvmChain({
  type: 'Ethereum',
  name: 'Ethereum',
  currency: ether,
  publicChainId: 1,
  // Holesky, Hoodi, Sepolia.
  relatedChainIds: [17_000, 560_048, 11_155_111],
  chainIdPrefix: 11,
  blockTimeSeconds: 12,
  network: 'ethereum',
  hardfork: 'osaka',
  gasLimit: 30_000_000,
  baseFeeWei: 1_000_000_000,
  contracts: [multicall3, wrappedEther('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2')],
  caveats: [],
  remark: 'Without participants, only the consensus layer is missing.',
});
