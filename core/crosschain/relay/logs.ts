import { z } from 'zod';
import type { ChainReader } from '../../evm/chainReader.ts';
import { AppError } from '../../lib/errors.ts';
import { toQuantity } from '../../lib/text/quantity.ts';
import type { ChainLog, RelaySource } from './protocol.ts';

const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(Number);

const logsSchema = z.array(
  z.object({
    address: z.string(),
    topics: z.array(z.string()),
    data: z.string(),
    blockNumber: quantitySchema,
    blockHash: z.string(),
    logIndex: quantitySchema,
  }),
);

const blockSchema = z.object({ number: quantitySchema, hash: z.string(), parentHash: z.string() });

export type Block = z.infer<typeof blockSchema>;

/** How the relay asks for the latest block. */
export const headCall = { method: 'eth_getBlockByNumber', params: ['latest', false] } as const;

/** The latest block. */
export async function headOf(chain: ChainReader): Promise<Block> {
  return read(blockSchema, await chain.call(headCall.method, headCall.params));
}

/** Hash of a block; undefined when the chain does not have it. */
export async function blockHashAt(chain: ChainReader, block: number): Promise<string | undefined> {
  const answer = await chain.call('eth_getBlockByNumber', [toQuantity(block), false]);
  return read(blockSchema.nullable(), answer)?.hash;
}

/** The logs of the source in these blocks, both included, in the order of the chain. */
export async function logsOf(
  chain: ChainReader,
  { address, topic }: RelaySource,
  [first, last]: [number, number],
): Promise<ChainLog[]> {
  const filter = { address, topics: [topic], fromBlock: toQuantity(first), toBlock: toQuantity(last) };
  const logs = read(logsSchema, await chain.call('eth_getLogs', [filter]));
  return logs
    .map(({ blockNumber, logIndex, ...log }) => ({ ...log, block: blockNumber, index: logIndex }))
    .sort((one, other) => one.block - other.block || one.index - other.index);
}

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new AppError('Unavailable', 'the chain returned a malformed answer');
  return parsed.data;
}
