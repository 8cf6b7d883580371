import { z } from 'zod';
import { type Clock, systemClock } from '../lib/clock.ts';
import { compact } from '../lib/compact.ts';
import { isObject } from '../lib/json/members.ts';
import { quantitySchema, read, unlikeNode } from './answers.ts';
import type { ChainReader } from './chainReader.ts';
import { inHalves } from './inHalves.ts';
import { type EvmRpc, longAnswer, type RpcOutcome } from './rpc.ts';

const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

const receiptSchema = z
  .object({
    transactionHash: z.string(),
    blockNumber: quantitySchema.transform(Number),
    blockHash: z.string(),
    gasUsed: quantitySchema,
    effectiveGasPrice: quantitySchema.optional(),
    status: quantitySchema.transform((status) => status === 1n),
    contractAddress: addressSchema.nullish(),
  })
  .nullable();

/** The receipt of a transaction (EIP-658, Ethereum JSON-RPC `eth_getTransactionReceipt`). */
export interface Receipt {
  hash: string;
  block: number;
  blockHash: string;
  gasUsed: bigint;
  /** In wei. */
  gasPrice?: bigint;
  isSuccess: boolean;
  /** The contract that the transaction created. */
  contract?: string;
}

/** A receipt with the first topic of each log that has one: which events were emitted, in order. */
export interface ReceiptWithEvents extends Receipt {
  events: string[];
}

const callFor = (hash: string) => ({ method: 'eth_getTransactionReceipt', params: [hash] });

/** A node's answer as a receipt; undefined while the transaction is not in a block. Throws Unavailable when invalid. */
export function parseReceipt(answer: unknown): Receipt | undefined {
  const receipt = read(receiptSchema, { result: answer });
  if (receipt === null) return undefined;
  const { effectiveGasPrice, contractAddress } = receipt;
  return {
    hash: receipt.transactionHash,
    block: receipt.blockNumber,
    blockHash: receipt.blockHash,
    gasUsed: receipt.gasUsed,
    ...compact({ gasPrice: effectiveGasPrice }),
    isSuccess: receipt.status,
    ...compact({ contract: contractAddress ?? undefined }),
  };
}

/** The same with the events, which take far longer to look at. */
export function parseWithEvents(answer: unknown): ReceiptWithEvents | undefined {
  const receipt = parseReceipt(answer);
  return receipt && { ...receipt, events: eventsIn(answer) };
}

/** The receipt of a transaction; undefined while it is not in a block. Rejects as the chain's `call` does. */
export async function readReceipt(chain: ChainReader, hash: string): Promise<Receipt | undefined> {
  const { method, params } = callFor(hash);
  return parseReceipt(await chain.call(method, params));
}

const logsSchema = z.object({ logs: z.array(z.unknown()).default([]) });
const topicPattern = /^0x[0-9a-fA-F]{64}$/;

/**
 * The first topic of each log that has one, in an answer with a receipt. Throws Unavailable when invalid. A transaction may have a hundred thousand logs, of which nothing else is looked at.
 */
export function eventsIn(answer: unknown): string[] {
  const { logs } = read(logsSchema, { result: answer });
  return logs.flatMap((log) => {
    const topics = isObject(log) ? log.topics : undefined;
    const [first] = Array.isArray(topics) ? topics : [null];
    if (first === undefined) return [];
    if (typeof first === 'string' && topicPattern.test(first)) return [first];
    throw unlikeNode();
  });
}

/** The receipts of transactions, undefined for those not in a block. Unavailable when the node cannot be reached. */
export async function readReceipts(rpc: EvmRpc, hashes: readonly string[]): Promise<(Receipt | undefined)[]> {
  const outcomes = await rpc.batch(hashes.map(callFor), withoutLogs);
  return outcomes.map(resultOf).map(parseReceipt);
}

/** A transaction may have a hundred thousand logs. */
const withoutLogs = { leaveOut: 'logs' };

/**
 * The answers of a node with receipts, null for transactions that are not in a block. Where they are too long to be parsed together, as
 * those with thousands of logs are, they are asked for in parts.
 */
export function readReceiptAnswers(rpc: EvmRpc, hashes: readonly string[]): Promise<unknown[]> {
  return inHalves(hashes, async (some) => {
    const outcomes = await rpc.batch(some.map(callFor), some.length <= 1 ? longAnswer : {});
    return outcomes.map(resultOf);
  });
}

function resultOf(outcome: RpcOutcome): unknown {
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

export interface AwaitOptions {
  timeoutMs: number;
  /** Polling interval; 100 ms when absent. */
  pollMs?: number;
  signal?: AbortSignal;
  clock?: Clock;
}

/**
 * Waits until transactions are in blocks; those not mined in time are undefined. A node that cannot be reached is
 * polled again. Rejects when `signal` aborts.
 */
export async function awaitReceipts(
  rpc: EvmRpc,
  hashes: readonly string[],
  { timeoutMs, pollMs = 100, signal, clock = systemClock }: AwaitOptions,
): Promise<(Receipt | undefined)[]> {
  const found = new Map<string, Receipt>();
  const endMs = clock.nowMs() + timeoutMs;
  for (;;) {
    const open = hashes.filter((hash) => !found.has(hash));
    const receipts = await readReceipts(rpc, open).catch(() => []);
    for (const [index, receipt] of receipts.entries()) if (receipt) found.set(open[index] ?? '', receipt);
    if (found.size === new Set(hashes).size || clock.nowMs() >= endMs) break;
    await clock.sleep(pollMs, signal);
  }
  return hashes.map((hash) => found.get(hash));
}
