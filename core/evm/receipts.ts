import { z } from 'zod';
import { type Clock, systemClock } from '../lib/clock.ts';
import { compact } from '../lib/compact.ts';
import { quantitySchema, read } from './chainState.ts';
import type { EvmRpc } from './rpc.ts';

const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

const receiptSchema = z.object({
  transactionHash: z.string(),
  blockNumber: quantitySchema.transform(Number),
  blockHash: z.string(),
  gasUsed: quantitySchema,
  effectiveGasPrice: quantitySchema.optional(),
  status: quantitySchema.transform((status) => status === 1n),
  contractAddress: addressSchema.nullish(),
});

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

/** The receipts of transactions, undefined for those that are in no block. Unavailable when the node cannot be asked. */
export async function readReceipts(rpc: EvmRpc, hashes: readonly string[]): Promise<(Receipt | undefined)[]> {
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
  const outcomes = await rpc.batch(calls);
  return outcomes.map((outcome) => {
    const receipt = read(receiptSchema.nullable(), outcome);
    return receipt === null ? undefined : receiptOf(receipt);
  });
}

function receiptOf(receipt: z.infer<typeof receiptSchema>): Receipt {
  const { transactionHash, blockNumber, blockHash, gasUsed, effectiveGasPrice, status, contractAddress } =
    receipt;
  return {
    hash: transactionHash,
    block: blockNumber,
    blockHash,
    gasUsed,
    ...compact({ gasPrice: effectiveGasPrice }),
    isSuccess: status,
    ...compact({ contract: contractAddress ?? undefined }),
  };
}

export interface AwaitOptions {
  timeoutMs: number;
  /** Between questions; 100 ms when absent. */
  pollMs?: number;
  signal?: AbortSignal;
  clock?: Clock;
}

/**
 * Waits until transactions are in blocks; those that are not in time stay undefined. A node that cannot be asked is
 * asked again. Rejects when `signal` aborts.
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
