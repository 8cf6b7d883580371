import { z } from 'zod';
import type { Authorization } from '../../core/api/rest/replay.ts';
import { type Effect, readEffects } from '../../core/evm/authorizations/effects.ts';
import { createCreationTracer } from '../../core/evm/createdContracts.ts';
import { eventsIn, readReceiptAnswers } from '../../core/evm/receipts.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { MinedResult } from './compare.ts';
import type { ReplayTarget } from './target.ts';

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform((text) => Number.parseInt(text, 16));
const receiptSchema = z.object({
  blockNumber: quantity,
  status: quantity,
  gasUsed: quantity,
  contractAddress: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .nullish(),
});
const transactionSchema = z.object({ nonce: quantity });

/** Reads the chain for a replay. Rejects with Unavailable if the node cannot be used. */
export interface ReplayReader {
  /** Undefined for each transaction that is not mined. */
  outcomes(hashes: readonly string[]): Promise<(MinedResult | undefined)[]>;
  /** The addresses that contracts created in a transaction; undefined if the node cannot report them. */
  createdBy(hash: string): Promise<string[] | undefined>;
  /** What became of authorizations in a block. */
  effects(authorizations: readonly Authorization[], block: number): Promise<Effect[]>;
  /** Undefined if the node does not know the transaction. */
  nonceOf(hash: string): Promise<number | undefined>;
  pendingCount(address: string): Promise<number>;
}

export function createReplayReader({ rpc, chainId }: Pick<ReplayTarget, 'rpc' | 'chainId'>): ReplayReader {
  const tracer = createCreationTracer(rpc);
  return {
    async outcomes(hashes) {
      const answers = await readReceiptAnswers(rpc, hashes);
      return answers.map((answer) => (answer === null ? undefined : toMinedResult(answer)));
    },
    effects: (authorizations, block) => readEffects(rpc, { authorizations, block, chainId }),
    createdBy: async (hash) => (await tracer.createdBy([hash]))[0],
    async nonceOf(hash) {
      const answer = await rpc.call('eth_getTransactionByHash', [hash]);
      return answer === null ? undefined : read(transactionSchema, answer).nonce;
    },
    pendingCount: async (address) =>
      read(quantity, await rpc.call('eth_getTransactionCount', [address, 'pending'])),
  };
}

function toMinedResult(answer: unknown): MinedResult {
  const { blockNumber, status, gasUsed, contractAddress } = read(receiptSchema, answer);
  const own = status === 1 ? contractAddress : undefined;
  return {
    block: blockNumber,
    status: status === 1 ? 'success' : 'reverted',
    gasUsed,
    events: eventsIn(answer),
    ...compact({ contractAddress: own?.toLowerCase() }),
  };
}

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new AppError(
    'Unavailable',
    'the node of the network cannot be used: it answered in an unexpected format',
  );
}
