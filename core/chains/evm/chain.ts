/**
 * The facts that distinguish the EVM chains, for the API contract, the engine and docs/chains.md, which gives their
 * sources. A chain is one file in `chains/` and one line in `registry.ts`.
 */
export interface EvmChain<Type extends string = string> {
  /** The value of spec.chain.type. In lower case it is the member of spec.chain that configures the chain. */
  type: Type;
  /** The public chain. */
  name: string;
  currency: { name: string; symbol: string; decimals: 18 };
  /** The id of the public chain, which a network may fork and whose addresses it uses. */
  publicChainId: number;
  /** Ids of its public test networks and sister chains; only forks may use them as well. */
  relatedChainIds: readonly number[];
  /** First digits of generated chain ids, which have ten digits and are between 2^30 and 2^31. Each chain has its own. */
  chainIdPrefix: number;
  /** Typical seconds between blocks of the public chain. Our engine mines a block per transaction by default. */
  blockTimeSeconds: number;
  /** The engine's rule family: deposits, fee vaults and L1 fees for `optimism`. */
  network: 'ethereum' | 'optimism';
  /** Name of the public chain's latest hardfork, as the engine calls it. */
  hardfork: string;
  gasLimit: number;
  /** The most gas of one transaction from Osaka on, if it is not Ethereum's 2^24 (EIP-7825). */
  osakaGasCap?: number;
  /** Base fee of the first block; from there it follows EIP-1559. */
  baseFeeWei: number;
  /** Who receives the tips, on chains with a fixed address for it. */
  feeRecipient?: string;
  /** Of an OP Stack rollup: millionths of the L1 fees that are charged for a transaction's bytes. */
  l1?: { baseFeeScalar: number; blobBaseFeeScalar: number };
  contracts: readonly Placement[];
  /** The client of the public chain that the profile "real" runs, or why there is none. */
  real?: { client: RealClient } | { refusal: string };
  /** What the engine does not reproduce, each as a clause for status.message and the documentation. */
  caveats: readonly string[];
  /** Further limits, only for docs/chains.md. */
  limits?: readonly string[];
  /** What else users should know, as a paragraph of docs/chains.md. */
  remark?: string;
}

export type RealClient = 'op-geth' | 'bsc' | 'avalanchego';

/** A contract of the genesis state. */
export interface Placement {
  address: string;
  /** Name of a system contract. */
  contract: string;
  /** Preset storage: words by slot, both 32 bytes in hexadecimal. */
  storage?: Readonly<Record<string, string>>;
  /** The name that users know it by, if it differs from the system contract's. */
  title?: string;
  /** What it does, as a clause for docs/chains.md. */
  purpose: string;
}

export const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 } as const;

/** Keeps the chain's type exact, from which the types of schemas and drivers follow. */
export function defineEvmChain<const Type extends string>(chain: EvmChain<Type>): EvmChain<Type> {
  return chain;
}
