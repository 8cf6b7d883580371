import { z } from 'zod';
import { AppError } from '../../../core/lib/errors.ts';
import { createBlockReceipts } from '../../../core/transactions/blockReceipts.ts';
import { createCreationTracer } from '../../../core/transactions/createdContracts.ts';
import type { EvmRpc } from '../../../core/transactions/rpc.ts';
import type { Outcome } from './compare.ts';

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform((text) => Number.parseInt(text, 16));
const receiptSchema = z.object({
  transactionHash: z.string(),
  blockNumber: quantity,
  status: quantity,
  gasUsed: quantity,
  contractAddress: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .nullish(),
  logs: z.array(z.object({ topics: z.array(z.string()) })),
});
const transactionSchema = z.object({ nonce: quantity });
const blockSchema = z.object({ gasLimit: quantity });

/** Fewer transactions in a block are asked for one by one. */
const crowd = 4;

/** What a replay reads of a chain. Unavailable when the node cannot be used. */
export interface ReplayReader {
  /**
   * Undefined for each that is not mined. The transactions are of one sender and in the order of their nonces: the ends
   * tell in which blocks all are, and blocks with many are asked for as a whole.
   */
  outcomes(hashes: readonly string[]): Promise<(Outcome | undefined)[]>;
  /** What contracts created in a transaction; undefined when the node does not tell. */
  createdBy(hash: string): Promise<string[] | undefined>;
  /** Undefined when the node does not know the transaction. */
  nonceOf(hash: string): Promise<number | undefined>;
  pendingCount(address: string): Promise<number>;
  blockGasLimit(): Promise<number>;
}

export function createReplayReader(rpc: EvmRpc): ReplayReader {
  const tracer = createCreationTracer(rpc);
  const blockReceipts = createBlockReceipts(rpc);

  async function single(hashes: readonly string[]): Promise<(Mined | undefined)[]> {
    const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
    const answers = await rpc.batch(calls);
    return answers.map((answer) => {
      if ('error' in answer) throw answer.error;
      return answer.result === null ? undefined : toMined(answer.result);
    });
  }

  return {
    async outcomes(hashes) {
      const ends = await single([hashes[0] ?? '', hashes.at(-1) ?? '']);
      const [first, last] = ends;
      if (hashes.length <= 2) return [first, last].slice(0, hashes.length).map((mined) => mined?.outcome);
      const blocks = first && last ? last.block - first.block + 1 : Number.POSITIVE_INFINITY;
      const whole =
        first && blocks * crowd <= hashes.length
          ? await blockReceipts(Array.from({ length: blocks }, (_, index) => first.block + index))
          : undefined;
      if (!whole) return (await single(hashes)).map((mined) => mined?.outcome);
      const own = new Set(hashes);
      const mined = whole
        .flat()
        .map(toMined)
        .filter(({ hash }) => own.has(hash));
      const byHash = new Map(mined.map(({ hash, outcome }) => [hash, outcome]));
      return hashes.map((hash) => byHash.get(hash));
    },
    createdBy: async (hash) => (await tracer.createdBy([hash]))[0],
    async nonceOf(hash) {
      const answer = await rpc.call('eth_getTransactionByHash', [hash]);
      return answer === null ? undefined : read(transactionSchema, answer).nonce;
    },
    pendingCount: async (address) =>
      read(quantity, await rpc.call('eth_getTransactionCount', [address, 'pending'])),
    blockGasLimit: async () =>
      read(blockSchema, await rpc.call('eth_getBlockByNumber', ['latest', false])).gasLimit,
  };
}

interface Mined {
  hash: string;
  block: number;
  outcome: Outcome;
}

function toMined(answer: unknown): Mined {
  const { status, gasUsed, contractAddress, logs, transactionHash, blockNumber } = read(
    receiptSchema,
    answer,
  );
  const own = status === 1 ? contractAddress : undefined;
  const outcome: Outcome = {
    status: status === 1 ? 'success' : 'reverted',
    gasUsed,
    events: logs.flatMap(({ topics }) => topics.slice(0, 1)),
    ...(own ? { contractAddress: own.toLowerCase() } : {}),
  };
  return { hash: transactionHash, block: blockNumber, outcome };
}

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new AppError('Unavailable', 'the network’s node cannot be used: its answer is of another form');
}
