/**
 * The facts that tell one EVM chain from another, for the contract, the engine and docs/chains.md, where their sources
 * are. A chain is one file in `chains/` and one line in `registry.ts`.
 */
export interface EvmChain<Type extends string = string> {
  /** The value of spec.chain.type. In lower case it is the member of spec.chain that configures the chain. */
  type: Type;
  /** The public chain. */
  name: string;
  currency: { name: string; symbol: string; decimals: 18 };
  /** The id of the public chain, whose network may be forked and whose addresses are used. */
  publicChainId: number;
  /** Ids of its public test networks and sister chains, which only forks may use as well. */
  relatedChainIds: readonly number[];
  /** First digits of generated chain ids, which have ten and lie between 2^30 and 2^31. No other chain's begin with them. */
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
  /** What the engine does not reproduce, each a clause for people: in status.message and in documents. */
  caveats: readonly string[];
  /** More that is not reproduced, for docs/chains.md alone. */
  limits?: readonly string[];
  /** What else a user should know, a paragraph of docs/chains.md. */
  remark?: string;
}

/** A contract of the first state. */
export interface Placement {
  address: string;
  /** Name of a system contract. */
  contract: string;
  /** Storage set beforehand: words by slot, both 32 bytes in hexadecimal. */
  storage?: Readonly<Record<string, string>>;
  /** The name that users know it by, where that is not the system contract's. */
  title?: string;
  /** What it does, a clause for docs/chains.md. */
  purpose: string;
}

export const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 } as const;

/** Keeps the chain's type exact, so that schemas and drivers can be typed by it. */
export function defineEvmChain<const Type extends string>(chain: EvmChain<Type>): EvmChain<Type> {
  return chain;
}
