import { defineEvmChain, ether } from '../chain.ts';
import { multicall3, wrappedEther } from '../contracts.ts';

export const arbitrum = defineEvmChain({
  type: 'Arbitrum',
  name: 'Arbitrum One',
  currency: ether,
  publicChainId: 42_161,
  // Nova, Sepolia.
  relatedChainIds: [42_170, 421_614],
  chainIdPrefix: 12,
  blockTimeSeconds: 0.25,
  network: 'ethereum',
  hardfork: 'osaka',
  gasLimit: 32_000_000,
  osakaGasCap: 32_000_000,
  baseFeeWei: 20_000_000,
  feeRecipient: '0xA4b000000000000000000073657175656e636572',
  real: { refusal: 'Nitro needs an L1 with the contracts of its rollup' },
  contracts: [
    multicall3,
    wrappedEther('0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'),
    {
      address: '0x0000000000000000000000000000000000000064',
      contract: 'ArbSys',
      purpose:
        'arbBlockNumber, arbBlockHash, arbChainID, arbOSVersion (116: ArbOS 61), address aliasing, withdrawEth and sendTxToL1 with their event',
    },
    {
      address: '0x0000000000000000000000000000000000000065',
      contract: 'ArbInfo',
      purpose: 'getBalance, getCode',
    },
    {
      address: '0x000000000000000000000000000000000000006C',
      contract: 'ArbGasInfo',
      purpose: 'prices; all L1 components are 0, because none is charged',
    },
    {
      address: '0x00000000000000000000000000000000000000C8',
      contract: 'NodeInterface',
      purpose: 'gasEstimateL1Component, blockL1Num, l2BlockRangeForL1, nitroGenesisBlock',
    },
  ],
  caveats: [
    'an EVM without ArbOS: no L1, no L1 component in gas, no Stylus, no retryable tickets',
    'block.number counts the blocks of this chain, as arbBlockNumber does',
  ],
  limits: [
    'absent: ArbSys.isTopLevelCall and myCallersAddressWithoutAliasing (a contract cannot see the calls above it), NodeInterface.gasEstimateComponents (use `eth_estimateGas`), ArbAddressTable, ArbOwnerPublic, ArbRetryableTx, ArbStatistics, ArbWasm',
  ],
});
