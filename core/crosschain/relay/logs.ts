import { z } from 'zod';
import type { ChainReader } from '../../evm/chainReader.ts';
import { AppError } from '../../lib/errors.ts';
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
    logIndex: quantitySchema,
  }),
);

/** Number of the latest block. */
export async function headOf(chain: ChainReader): Promise<number> {
  return read(quantitySchema, await chain.call('eth_blockNumber', []));
}

/** The logs of the source in these blocks, both included, in the order of the chain. */
export async function logsOf(
  chain: ChainReader,
  { address, topic }: RelaySource,
  [first, last]: [number, number],
): Promise<ChainLog[]> {
  const toHex = (block: number) => `0x${block.toString(16)}`;
  const filter = { address, topics: [topic], fromBlock: toHex(first), toBlock: toHex(last) };
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
