/** The facts that tell one EVM chain from another. Sources: docs/chains.md. */
export interface EvmChain {
  name: string;
  currency: { name: string; symbol: string; decimals: 18 };
  /** The id of the public chain, whose network may be forked and whose addresses are used. */
  publicChainId: number;
  /** First two digits of generated chain ids, which have ten. */
  chainIdPrefix: number;
  /** Usual seconds between blocks of the public chain. Our engine makes a block for each transaction. */
  blockTimeSeconds: number;
  /** Family of rules in the engine: deposits, fee vaults and L1 fees for `optimism`. */
  network: 'ethereum' | 'optimism';
  /** Name of the newest rules of the public chain, as the engine calls them. */
  hardfork: string;
  gasLimit: number;
  /** Base fee of the first block; it moves by EIP-1559 from there. */
  baseFeeWei: number;
  /** Who gets the tips, where the chain has a fixed address for it. */
  feeRecipient?: string;
  contracts: readonly Placement[];
  /** What the engine does not reproduce, each a clause for people. */
  caveats: readonly string[];
}

/** A contract of the first state. */
export interface Placement {
  address: string;
  /** Name of a system contract. */
  contract: string;
  /** Storage set beforehand: words by slot, both 32 bytes in hexadecimal. */
  storage?: Readonly<Record<string, string>>;
}

export const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 } as const;
