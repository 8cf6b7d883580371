import { z } from 'zod';
import type { ChainReader } from '../evm/chainReader.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';

const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(Number);

const receiptSchema = z
  .object({
    status: quantitySchema,
    blockNumber: quantitySchema,
    contractAddress: z.string().nullish(),
  })
  .nullable();

export interface Receipt {
  isSuccess: boolean;
  block: number;
  contractAddress?: string;
}

/** The receipt, or undefined while the transaction is not in a block. Throws Unavailable for an unreadable one. */
export async function receiptOf(chain: ChainReader, hash: string): Promise<Receipt | undefined> {
  const parsed = receiptSchema.safeParse(await chain.call('eth_getTransactionReceipt', [hash]));
  if (!parsed.success) throw new AppError('Unavailable', `the receipt of ${hash} is unreadable`);
  if (!parsed.data) return undefined;
  const { status, blockNumber, contractAddress } = parsed.data;
  return {
    isSuccess: status === 1,
    block: blockNumber,
    ...(contractAddress ? { contractAddress } : {}),
  };
}

const firstPauseMs = 25;
const longestPauseMs = 2000;
const patienceMs = 60_000;

/** Waits for the receipt, less and less often. Throws Unavailable after a minute without one. */
export async function awaitReceipt(chain: ChainReader, hash: string, clock: Clock): Promise<Receipt> {
  const untilMs = clock.nowMs() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const receipt = await receiptOf(chain, hash);
    if (receipt) return receipt;
    if (clock.nowMs() >= untilMs) {
      throw new AppError('Unavailable', `transaction ${hash} is in no block yet`, { retryAfterSeconds: 5 });
    }
    await clock.sleep(pauseMs);
  }
}
