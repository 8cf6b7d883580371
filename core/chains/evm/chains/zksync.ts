import { defineEvmChain, ether } from '../chain.ts';
import { multicall3, wrappedEther } from '../contracts.ts';

export const zksync = defineEvmChain({
  type: 'ZKSync',
  name: 'ZKsync Era',
  currency: ether,
  publicChainId: 324,
  // Sepolia.
  relatedChainIds: [300],
  chainIdPrefix: 19,
  blockTimeSeconds: 1,
  network: 'ethereum',
  hardfork: 'cancun',
  gasLimit: 80_000_000,
  baseFeeWei: 45_250_000,
  real: { refusal: 'a node of EraVM needs an L1 and a prover' },
  contracts: [
    multicall3,
    // EraVM derives addresses differently, so the public chain has it at this address.
    {
      ...multicall3,
      address: '0xF9cda624FBC7e059355ce98a31693d299FACd963',
      purpose: 'at the address that ZKsync Era uses, besides the usual one',
    },
    wrappedEther('0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91'),
    {
      address: '0x0000000000000000000000000000000000008008',
      contract: 'L1Messenger',
      purpose: 'sendToL1 with its event',
    },
    {
      address: '0x000000000000000000000000000000000000800A',
      contract: 'L2BaseToken',
      purpose: 'name, symbol, decimals, balanceOf, withdraw with its event',
    },
    {
      address: '0x000000000000000000000000000000000000800B',
      contract: 'SystemContext',
      purpose: 'chainId, origin, gasPrice, baseFee, block data; each block is its own batch',
    },
  ],
  caveats: [
    'runs EVM bytecode, not EraVM: zksolc output cannot be deployed, gas and contract addresses follow Ethereum',
    'no native account abstraction, no paymasters, no transactions of type 0x71, no zks_ methods, no L1',
  ],
  limits: [
    'absent: the other system contracts (NonceHolder, ContractDeployer, MsgValueSimulator and others), which only EraVM can call',
  ],
});
