import { z } from 'zod';
import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import { hexDataSchema } from '../../core/api/values.ts';
import type { Receipt } from '../../core/evm/receipts.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';

/** What is read of a node's answers (Ethereum JSON-RPC); anything else in them is of no interest. */

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform((text) => Number.parseInt(text, 16));
const amount = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase());

const headerSchema = z.object({ number: quantity, hash, parentHash: hash, timestamp: quantity });
const blockSchema = headerSchema.extend({
  transactions: z.array(z.looseObject({ from: address })),
});
const transactionSchema = z.object({
  hash,
  from: address,
  to: address.nullish(),
  value: amount,
  input: hexDataSchema,
  nonce: quantity,
  gas: quantity,
});

export interface BlockRef {
  number: number;
  hash: string;
}

export interface Block extends BlockRef {
  parentHash: string;
  timestamp: string;
  /** Those of the recorded wallet. */
  transactions: z.infer<typeof transactionSchema>[];
  /** About how many bytes the node had to send. */
  bytes: number;
}

export const toNumber = (answer: unknown): number => read(quantity, answer, 'a number');

/** The hash of a block; undefined when there is none. */
export function toHash(answer: unknown): string | undefined {
  return answer === null ? undefined : read(headerSchema, answer, 'a block').hash;
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
    timestamp: toTime(timestamp),
    transactions: own.map((transaction) => read(transactionSchema, transaction, 'a transaction')),
    bytes: transactions.reduce(
      (sum, { input }) => sum + 600 + (typeof input === 'string' ? input.length : 0),
      0,
    ),
  };
}

/** Members in the order of the contract, so that equal transactions are equal texts. */
export function toRecorded(
  { hash, from, to, value, input, nonce, gas }: Block['transactions'][number],
  block: Block,
  { receipt, created }: { receipt: Receipt; created: string[] | undefined },
): RecordedTransaction {
  const own = receipt.isSuccess && !to ? receipt.contract?.toLowerCase() : undefined;
  return {
    hash,
    from,
    ...compact({ to: to ?? undefined }),
    value: BigInt(value).toString(),
    data: input,
    nonce,
    gas_limit: gas,
    gas_used: Number(receipt.gasUsed),
    block: block.number,
    timestamp: block.timestamp,
    status: receipt.isSuccess ? 'success' : 'reverted',
    ...compact({ contract_address: own }),
    ...(created?.length ? { created_contracts: created } : {}),
    events: receipt.events,
  };
}

/** A development chain's clock can be set to anything; RFC 3339 ends with the year 9999. */
function toTime(seconds: number): string {
  return toRfc3339(Math.min(seconds * 1000, Date.UTC(9999, 11, 31, 23, 59, 59)));
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
