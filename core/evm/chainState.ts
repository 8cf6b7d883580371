import { z } from 'zod';
import { AppError } from '../lib/errors.ts';
import { quantitySchema, read, resultIn } from './answers.ts';
import { type Instance, instanceCall, instanceOf } from './instance.ts';
import type { EvmRpc, RpcCall, RpcOutcome } from './rpc.ts';

const countSchema = quantitySchema.transform(Number);

const blockSchema = z.object({
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  gasLimit: quantitySchema,
  baseFeePerGas: quantitySchema.optional(),
  withdrawalsRoot: z.string().optional(),
  requestsHash: z.string().optional(),
});

/** What has to be known about a chain and an account before anything is signed. */
export interface ChainState {
  chainId: string;
  /** The process that answered. */
  instance: Instance;
  /** The number of nonces the account has used, including transactions pending in the node. */
  pendingCount: number;
  /** In wei, after the transactions pending in the node. */
  balance: bigint;
  blockGasLimit: bigint;
  /** The most gas that one transaction may have: that of a block, or less (EIP-7825, Osaka). */
  maxTransactionGas: bigint;
  /** Base fee of the next block in wei; undefined on a chain without EIP-1559. */
  baseFee: bigint | undefined;
  gasPrice: bigint;
  /** The priority fee that the node suggests, in wei; 0 on a chain without EIP-1559. */
  tip: bigint;
  /** Whether EIP-3860 limits creation code (Shanghai). */
  limitsCreationCode: boolean;
  /** Whether EIP-7623 raises the price of data (Prague). */
  hasDataFloor: boolean;
}

/** The chain and the account to read. */
interface ChainAccount {
  address: string;
  /** The chain id in the network's status: nothing is signed for another one. */
  chainId: string;
  /** What the chain allows one transaction from Osaka on; Ethereum's limit when absent. */
  osakaGasCap?: bigint | undefined;
}

/** EIP-7825. */
const ethereumGasCap = 2n ** 24n;
/** Counts the leading zeros of 0 by CLZ (EIP-7939), an instruction that chains have from Osaka on, and returns them. */
const osakaCall: RpcCall = { method: 'eth_call', params: [{ data: '0x5f1e5f5260205ff3' }, 'latest'] };
const osakaAnswer = 256n;

/**
 * Reads the state in one batch. Unavailable when the node does not answer, or not like an EVM node, or claims another
 * chain id than the network's.
 */
export async function readChainState(
  rpc: EvmRpc,
  { address, chainId, osakaGasCap = ethereumGasCap }: ChainAccount,
): Promise<ChainState> {
  const calls: RpcCall[] = [
    chainIdCall,
    instanceCall,
    latestCall,
    countCall(address, 'pending'),
    { method: 'eth_getBalance', params: [address, 'pending'] },
    { method: 'eth_gasPrice', params: [] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    nextBaseFeeCall,
    osakaCall,
  ];
  const [claimed, metadata, latest, count, balance, gasPrice, tip, history, osaka] = await rpc.batch(calls);
  checkChainId(claimed, chainId);
  const block = read(blockSchema, latest);
  const { baseFeePerGas: latestBaseFee } = block;
  // The base fee of the latest block differs from it by at most an eighth (EIP-1559).
  const baseFee = latestBaseFee === undefined ? undefined : (nextBaseFeeOf(history) ?? latestBaseFee);
  return {
    chainId,
    instance: instanceOf(rpc, metadata),
    pendingCount: read(countSchema, count),
    balance: read(quantitySchema, balance),
    blockGasLimit: block.gasLimit,
    maxTransactionGas: maxTransactionGasOf(block.gasLimit, osaka, osakaGasCap),
    baseFee,
    gasPrice: read(quantitySchema, gasPrice),
    tip: baseFee === undefined ? 0n : read(quantitySchema, tip),
    limitsCreationCode: block.withdrawalsRoot !== undefined,
    hasDataFloor: block.requestsHash !== undefined,
  };
}

function maxTransactionGasOf(blockGas: bigint, osaka: RpcOutcome | undefined, cap: bigint): bigint {
  const isOsaka = quantitySchema.safeParse(resultIn(osaka)).data === osakaAnswer;
  return isOsaka && cap < blockGas ? cap : blockGas;
}

/** What a chain allows one transaction. */
export interface TransactionRules {
  /** The most gas that it may have. */
  maxGas: bigint;
  /** Whether it may carry authorizations (EIP-7702, Prague). */
  hasAuthorizations: boolean;
}

/** `osakaGasCap` as for `readChainState`. */
export async function readTransactionRules(
  rpc: EvmRpc,
  osakaGasCap = ethereumGasCap,
): Promise<TransactionRules> {
  const [latest, osaka] = await rpc.batch([latestCall, osakaCall]);
  const { gasLimit, requestsHash } = read(blockSchema, latest);
  const maxGas = maxTransactionGasOf(gasLimit, osaka, osakaGasCap);
  return { maxGas, hasAuthorizations: requestsHash !== undefined };
}

const latestCall: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] };

export const chainIdCall: RpcCall = { method: 'eth_chainId', params: [] };

/** Throws Unavailable when a node did not answer `chainIdCall`, or with another chain id than the network's. */
export function checkChainId(outcome: RpcOutcome | undefined, chainId: string): void {
  const claimed = String(read(quantitySchema, outcome));
  if (claimed === chainId) return;
  throw new AppError('Unavailable', wrongChainId(claimed, chainId), { retryAfterSeconds: 10 });
}

/** For people: what is wrong with a node that claims another chain id, and the remedy. */
export function wrongChainId(claimed: string, chainId: string): string {
  return `the network's node claims chain id ${claimed}, but the network's chain id is ${chainId}: nothing is signed for it; reset the network's state`;
}

/** The answer has one more base fee than blocks: that of the block after the latest. */
export const nextBaseFeeCall: RpcCall = { method: 'eth_feeHistory', params: ['0x1', 'latest', []] };
const feeHistorySchema = z.object({ baseFeePerGas: z.array(quantitySchema).min(2) });

/** Reads the outcome of `nextBaseFeeCall`, in wei; undefined when the node does not report it. */
export function nextBaseFeeOf(outcome: RpcOutcome | undefined): bigint | undefined {
  const history = feeHistorySchema.safeParse(resultIn(outcome));
  return history.data?.baseFeePerGas.at(-1);
}

/** The base fee of the next block, in wei; undefined when the node does not report it. */
export async function readNextBaseFee(rpc: EvmRpc): Promise<bigint | undefined> {
  const [history] = await rpc.batch([nextBaseFeeCall]);
  return nextBaseFeeOf(history);
}

/** The number of nonces an account has used; `latest` counts only mined transactions. */
export async function countNonces(
  rpc: EvmRpc,
  address: string,
  block: 'latest' | 'pending',
): Promise<number> {
  const { method, params } = countCall(address, block);
  return read(countSchema, { result: await rpc.call(method, params) });
}

/** `block` is a tag or a number in hexadecimal. */
export function countCall(address: string, block: 'latest' | 'pending' | `0x${string}`): RpcCall {
  return { method: 'eth_getTransactionCount', params: [address, block] };
}
