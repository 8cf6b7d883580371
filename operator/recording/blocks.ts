import { z } from 'zod';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { addressAnswer, hashAnswer, quantityAnswer, secondsAnswer } from './answers.ts';
import { type MinedTransaction, transactionSchema } from './transactions.ts';

/** What is read of a node's answers (Ethereum JSON-RPC); anything else in them is of no interest. */

const headerSchema = z.object({
  number: quantityAnswer,
  hash: hashAnswer,
  parentHash: hashAnswer,
  timestamp: secondsAnswer,
});
const hashesSchema = z.object({ transactions: z.array(hashAnswer) });
const blockSchema = headerSchema.extend({
  transactions: z.array(z.looseObject({ from: addressAnswer })),
});

export interface BlockRef {
  number: number;
  hash: string;
}

export interface Block extends BlockRef {
  parentHash: string;
  timestamp: string;
  /** Those of the recorded wallet. */
  transactions: MinedTransaction[];
  /** About how many bytes the node had to send. */
  bytes: number;
}

export const toNumber = (answer: unknown): number => read(quantityAnswer, answer, 'a number');

/** The hash of a block; undefined when there is none. */
export function toHash(answer: unknown): string | undefined {
  return answer === null ? undefined : read(headerSchema, answer, 'a block').hash;
}

/** The hashes of a block's transactions; none when there is no block. */
export function toHashes(answer: unknown): string[] {
  return answer === null ? [] : read(hashesSchema, answer, 'a block').transactions;
}

/** When a block was mined, in seconds since the epoch. */
export const toSeconds = (answer: unknown): number => read(headerSchema, answer, 'a block').timestamp;

/** The block with the transactions of `wallet` (in lower case); undefined when there is none. */
export function toBlock(answer: unknown, wallet: string): Block | undefined {
  if (answer === null) return undefined;
  const { timestamp, transactions, ...ref } = read(blockSchema, answer, 'a block');
  const own = transactions.filter(({ from }) => from === wallet);
  return {
    ...ref,
    timestamp: toRfc3339(timestamp * 1000),
    transactions: own.map((transaction) => read(transactionSchema, transaction, 'a transaction')),
    bytes: transactions.reduce(
      (sum, { input }) => sum + 600 + (typeof input === 'string' ? input.length : 0),
      0,
    ),
  };
}

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'it';
  throw new AppError(
    'Unavailable',
    `the network's node cannot be used: it answered ${what} in which ${place} is wrong`,
  );
}
