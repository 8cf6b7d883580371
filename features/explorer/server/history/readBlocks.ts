import { z } from 'zod';
import { type Transferred, transfersIn } from '../../../../core/abi/tokenTransfers.ts';
import { quantitySchema, read } from '../../../../core/evm/answers.ts';
import { isTooLong } from '../../../../core/evm/readCapped.ts';
import { type EvmRpc, longAnswer, type RpcOutcome } from '../../../../core/evm/rpc.ts';
import type { InnerTrace } from '../../../../core/evm/traces.ts';
import { toRfc3339 } from '../../../../core/lib/clock.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { toQuantity } from '../../../../core/lib/text/quantity.ts';
import { type BlockTraces, createBlockTracer } from './blockTraces.ts';
import { type InnerCalls, innerCallsOf } from './innerCalls.ts';

/** What the index keeps of a transaction. Addresses are in lower case, amounts in wei and decimal. */
export interface IndexedTransaction {
  hash: string;
  from: string;
  to?: string;
  created?: string;
  value: string;
  fee: string;
  method?: string;
  isSuccess: boolean;
  /** Undefined where the node has no trace. */
  inner?: InnerCalls;
  transfers: Transferred[];
}

/** What the index keeps of a block. */
export interface IndexedBlock {
  number: number;
  hash: string;
  parentHash: string;
  time: string;
  transactions: IndexedTransaction[];
}

const text = z.string();
const lower = text.transform((address) => address.toLowerCase());
const number = quantitySchema.transform(Number);

const transactionSchema = z.object({
  hash: text,
  from: lower,
  to: lower.nullish(),
  value: quantitySchema,
  input: text,
});

const blockSchema = z.object({
  number,
  hash: text,
  parentHash: text,
  timestamp: number,
  transactions: z.array(transactionSchema),
});

const receiptsSchema = z.array(
  z.object({
    transactionHash: text,
    status: quantitySchema.optional(),
    gasUsed: quantitySchema,
    effectiveGasPrice: quantitySchema.optional(),
    contractAddress: lower.nullish(),
    logs: z.array(z.object({ address: text, topics: z.array(text), data: text, logIndex: number })),
  }),
);
type Block = z.infer<typeof blockSchema>;
type Receipt = z.infer<typeof receiptsSchema>[number];

/** What is thrown when a node answers for a chain that went back meanwhile. */
export const wentBack = new Error('the chain went back while it was read');

/** Both numbers are included. */
interface BlockRange {
  from: number;
  to: number;
}

/** How many blocks are read at a time. */
const maxCount = 100;

/** Undefined for a block that is too large by itself. */
type ReadPart = (
  rpc: Pick<EvmRpc, 'batch'>,
  rangeOf: (count: number) => BlockRange,
) => Promise<IndexedBlock[] | undefined>;

/** Reads a chain part by part, with fewer blocks at a time where they are too large for one answer. */
export function createPartReader(): ReadPart {
  const readBlocks = createBlockReader();
  let count = maxCount;
  return async (rpc, rangeOf) => {
    for (;;) {
      try {
        const blocks = await readBlocks(rpc, rangeOf(count));
        count = Math.min(maxCount, count * 2);
        return blocks;
      } catch (error) {
        if (!isTooLong(error)) throw error;
        if (count === 1) return undefined;
        count = Math.ceil(count / 4);
      }
    }
  };
}

/** Rejects with Unavailable when the node does not answer, and with `wentBack` when it no longer has one of the blocks. */
function createBlockReader() {
  const trace = createBlockTracer();
  return async (rpc: Pick<EvmRpc, 'batch'>, { from, to }: BlockRange): Promise<IndexedBlock[]> => {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const answers = await rpc.batch(
      numbers.map((one) => callOf('eth_getBlockByNumber', one, true)),
      longAnswer,
    );
    const blocks = answers.map((answer) => there(read(blockSchema.nullable(), answer)));
    const full = blocks.filter(({ transactions }) => transactions.length > 0);
    const receipts = await rpc.batch(
      full.map((one) => callOf('eth_getBlockReceipts', one.number)),
      longAnswer,
    );
    const traces = await trace(rpc, full.map(tracedOf));
    const contents = new Map(
      full.map((one, index) => [one.number, transactionsOf(one, receipts[index], traces[index])]),
    );
    return blocks.map(({ number: own, hash, parentHash, timestamp }) => ({
      number: own,
      hash,
      parentHash,
      time: toRfc3339(timestamp * 1000),
      transactions: contents.get(own) ?? [],
    }));
  };
}

const tracedOf = ({ number: own, transactions }: Block) => ({
  number: toQuantity(own),
  hashes: transactions.map(({ hash }) => hash),
});

function there<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw wentBack;
  return value;
}

const callOf = (method: string, block: number, ...params: unknown[]) => ({
  method,
  params: [toQuantity(block), ...params],
});

function transactionsOf(
  { transactions }: Block,
  receipts: RpcOutcome | undefined,
  traces: BlockTraces | undefined,
): IndexedTransaction[] {
  const byHash = new Map(
    there(read(receiptsSchema.nullable(), receipts)).map((one) => [one.transactionHash, one]),
  );
  return transactions.map((one) => transactionOf(one, there(byHash.get(one.hash)), traces?.get(one.hash)));
}

function transactionOf(
  { hash, from, to, value, input }: Block['transactions'][number],
  { gasUsed, effectiveGasPrice = 0n, contractAddress, logs, status }: Receipt,
  inner: InnerTrace[] | undefined,
): IndexedTransaction {
  const isSuccess = status === 1n;
  const created = to ? undefined : (contractAddress ?? undefined);
  return {
    hash,
    from,
    value: String(value),
    fee: String(gasUsed * effectiveGasPrice),
    isSuccess,
    transfers: logs.flatMap(transfersIn),
    ...compact({
      to: to ?? undefined,
      created: isSuccess ? created : undefined,
      method: to && input.length >= 10 ? input.slice(0, 10) : undefined,
      inner: inner && innerCallsOf(inner),
    }),
  };
}
