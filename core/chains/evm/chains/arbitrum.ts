import { ether } from '../chain.ts';
import { multicall3, wrappedEther } from '../contracts.ts';
import { defineEvmChain } from '../driver.ts';

export const arbitrum = defineEvmChain({
  name: 'Arbitrum One',
  currency: ether,
  publicChainId: 42_161,
  chainIdPrefix: 12,
  blockTimeSeconds: 0.25,
  network: 'ethereum',
  hardfork: 'osaka',
  gasLimit: 32_000_000,
  baseFeeWei: 20_000_000,
  feeRecipient: '0xA4b000000000000000000073657175656e636572',
  contracts: [
    multicall3,
    wrappedEther('0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'),
    { address: '0x0000000000000000000000000000000000000064', contract: 'ArbSys' },
    { address: '0x0000000000000000000000000000000000000065', contract: 'ArbInfo' },
    { address: '0x000000000000000000000000000000000000006C', contract: 'ArbGasInfo' },
    { address: '0x00000000000000000000000000000000000000C8', contract: 'NodeInterface' },
  ],
  caveats: [
    'an EVM without ArbOS: no L1, no part for L1 in gas, no Stylus, no retryable tickets',
    'block.number counts the blocks of this chain, as arbBlockNumber does',
  ],
});
