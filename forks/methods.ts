import { type ChainType, isEvmChain } from '../core/api/resources/chainSpecs.ts';

/** What an answer depends on: nothing, the block that a parameter names, the block that contains it, or the moment. */
export type Basis = 'chain' | { block: number } | 'ownBlock' | 'now';

/** What the engine of an EVM fork, anvil 1.7, reads from its source (crates/anvil/src/eth/backend/fork.rs). */
const evmMethods: Readonly<Record<string, Basis>> = {
  eth_chainId: 'chain',
  net_version: 'chain',
  web3_clientVersion: 'now',
  eth_blockNumber: 'now',
  eth_syncing: 'now',
  eth_gasPrice: 'now',
  eth_maxPriorityFeePerGas: 'now',
  eth_blobBaseFee: 'now',
  eth_feeHistory: 'now',
  eth_getBalance: { block: 1 },
  eth_getCode: { block: 1 },
  eth_getTransactionCount: { block: 1 },
  eth_getAccount: { block: 1 },
  eth_getStorageAt: { block: 2 },
  eth_getProof: { block: 2 },
  eth_getBlockByNumber: { block: 0 },
  eth_getBlockByHash: { block: 0 },
  eth_getBlockReceipts: { block: 0 },
  eth_getBlockTransactionCountByNumber: { block: 0 },
  eth_getBlockTransactionCountByHash: { block: 0 },
  eth_getTransactionByBlockNumberAndIndex: { block: 0 },
  eth_getTransactionByBlockHashAndIndex: { block: 0 },
  eth_getUncleByBlockNumberAndIndex: { block: 0 },
  eth_getUncleByBlockHashAndIndex: { block: 0 },
  eth_getUncleCountByBlockNumber: { block: 0 },
  eth_getUncleCountByBlockHash: { block: 0 },
  eth_getTransactionByHash: 'ownBlock',
  eth_getTransactionReceipt: 'ownBlock',
  eth_getRawTransactionByHash: 'now',
  eth_getRawTransactionByBlockHashAndIndex: 'now',
  eth_getRawTransactionByBlockNumberAndIndex: 'now',
  eth_getTransactionBySenderAndNonce: 'now',
  eth_call: 'now',
  eth_estimateGas: 'now',
  eth_createAccessList: 'now',
  eth_simulateV1: 'now',
  eth_getLogs: 'now',
  debug_traceTransaction: 'now',
  debug_traceCall: 'now',
  debug_traceBlockByHash: 'now',
  debug_traceBlockByNumber: 'now',
  debug_codeByHash: 'now',
  trace_transaction: 'now',
  trace_block: 'now',
  trace_filter: 'now',
  trace_replayBlockTransactions: 'now',
};

/**
 * What the engines of Solana forks read, at the latest state of their source: solana-test-validator 3.1 with `--url` and
 * `--clone`, and surfpool-core 1.7 (src/surfnet/remote.rs, src/rpc/full.rs).
 */
const solanaMethods: Readonly<Record<string, Basis>> = {
  getGenesisHash: 'chain',
  getEpochSchedule: 'chain',
  getEpochInfo: 'now',
  getSlot: 'now',
  getVersion: 'now',
  getAccountInfo: 'now',
  getMultipleAccounts: 'now',
  getProgramAccounts: 'now',
  getLargestAccounts: 'now',
  getTokenAccountsByOwner: 'now',
  getTokenAccountsByDelegate: 'now',
  getTokenLargestAccounts: 'now',
  getSignaturesForAddress: 'now',
  getTransaction: 'now',
  getBlock: 'now',
  getFirstAvailableBlock: 'now',
};

/** What the answer to a method depends on; undefined if no engine of this type calls it, so that it is refused. */
export function basisOf(type: ChainType, method: string): Basis | undefined {
  const methods = isEvmChain(type) ? evmMethods : type === 'Solana' ? solanaMethods : {};
  return Object.hasOwn(methods, method) ? methods[method] : undefined;
}

/** Deeper than any reorganization of a public chain with finality. */
const settledDepth = 256;
const recentMs = 60_000;

interface AnswerFacts {
  basis: Basis;
  params: unknown;
  /** JSON text. */
  result: string;
  /** The number of the block that the result is, or is in. */
  block?: number | undefined;
  /** The highest known block of the chain. */
  head: number;
}

/**
 * How long the answer stays true, in milliseconds. What is in a block stays true as long as the block is in the chain:
 * always once it is deep enough, and for a minute before that. What is not there yet may come.
 */
export function lifetimeOf({ basis, params, result, block: ownBlock, head }: AnswerFacts): number {
  if (basis === 'now' || result === 'null') return 0;
  if (basis === 'chain') return Number.POSITIVE_INFINITY;
  const block = basis === 'ownBlock' ? ownBlock : blockIn(params, basis.block);
  if (block === 'hash') return Number.POSITIVE_INFINITY;
  if (block === undefined) return 0;
  return block + settledDepth <= head ? Number.POSITIVE_INFINITY : recentMs;
}

/** Whether the block that an answer names is in the chain. */
export function provesBlock(method: string): boolean {
  return method === 'eth_blockNumber' || method === 'eth_getBlockByNumber';
}

function blockIn(params: unknown, index: number): number | 'hash' | undefined {
  const name: unknown = Array.isArray(params) ? params[index] : undefined;
  if (name === 'earliest') return 0;
  if (typeof name === 'object' && name !== null) {
    if ('blockHash' in name) return 'hash';
    return 'blockNumber' in name ? quantityOf(name.blockNumber) : undefined;
  }
  if (typeof name === 'string' && /^0x[0-9a-f]{64}$/i.test(name)) return 'hash';
  return quantityOf(name);
}

/** A number in hexadecimal, as EVM nodes write those of blocks. */
export function quantityOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined;
}
