import { z } from 'zod';
import { quantitySchema, read } from '../../../core/evm/answers.ts';
import { readReceipts } from '../../../core/evm/receipts.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';

/** A transfer to or from an address of a wallet, without what depends on the wallet. */
export interface Move {
  kind: 'NativeTransfer' | 'Erc20Transfer';
  direction: 'In' | 'Out';
  contract?: string;
  from: string;
  to?: string;
  value: string;
  /** In wei; of what the wallet sent. */
  fee?: string;
  blockNumber: number;
  txHash: string;
  timestamp: string;
  index?: string;
}

/** A block. */
export interface Cursor {
  number: number;
  hash: string;
}

const hash = z.string();
const number = quantitySchema.transform(Number);
const address = z.string().transform((text) => text.toLowerCase());
const blockSchema = z.object({
  number,
  hash,
  timestamp: number,
  transactions: z.array(z.object({ hash, from: address, to: address.nullish(), value: quantitySchema })),
});
type Block = z.infer<typeof blockSchema>;
export const headSchema = z.object({ number, hash }).nullable();
const logSchema = z.object({
  address,
  topics: z.array(z.string()),
  data: z.string(),
  blockNumber: number,
  transactionHash: hash,
  logIndex: number,
});
type Log = z.infer<typeof logSchema>;

/** Transfer(address,address,uint256); ERC-721 has the same with a fourth topic. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export interface Range {
  from: number;
  to: number;
  addresses: ReadonlySet<string>;
}

interface FoundMove {
  address: string;
  id: string;
  move: Move;
}

/** The transfers in a range of blocks, in their order, and its last block; none if the chain has become shorter. */
export async function readMoves(rpc: EvmRpc, range: Range): Promise<{ moves: FoundMove[]; last?: Cursor }> {
  const numbers = Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index);
  const filter = {
    fromBlock: toQuantity(range.from),
    toBlock: toQuantity(range.to),
    topics: [transferTopic],
  };
  const [logs, ...answers] = await rpc.batch([
    { method: 'eth_getLogs', params: [filter] },
    ...numbers.map((at) => ({ method: 'eth_getBlockByNumber', params: [toQuantity(at), true] })),
  ]);
  const blocks = answers
    .map((answer) => read(blockSchema.nullable(), answer))
    .filter((block) => block !== null);
  if (blocks.length < numbers.length) return { moves: [] };
  const times = new Map(blocks.map((block) => [block.number, timeOf(block)]));
  const tokens = read(z.array(logSchema), logs).flatMap((log) =>
    tokenMoves(log, range, times.get(log.blockNumber)),
  );
  const coins = await coinMoves(rpc, blocks, range);
  const moves = [...coins, ...tokens].sort((a, b) => a.move.blockNumber - b.move.blockNumber);
  const last = blocks.at(-1);
  return { moves, ...(last ? { last: { number: last.number, hash: last.hash } } : {}) };
}

function timeOf({ timestamp }: Block): string {
  return new Date(timestamp * 1000).toISOString();
}

function tokenMoves(log: Log, { addresses }: Range, timestamp = ''): FoundMove[] {
  const [, from, to] = log.topics.map((topic) => `0x${topic.slice(26)}`.toLowerCase());
  if (log.topics.length !== 3 || !from || !to || !/^0x[0-9a-fA-F]{64}$/.test(log.data)) return [];
  const { address: contract, blockNumber, transactionHash: txHash, logIndex } = log;
  const move: Sides['move'] = {
    kind: 'Erc20Transfer',
    contract,
    from,
    to,
    blockNumber,
    txHash,
    timestamp,
    value: BigInt(log.data).toString(),
    index: String(logIndex),
  };
  return bothSides({ addresses, id: `${txHash}/${logIndex}`, move });
}

/** Native transfers of transactions that succeeded; what contracts send on is in no block. */
async function coinMoves(rpc: EvmRpc, blocks: readonly Block[], { addresses }: Range): Promise<FoundMove[]> {
  const found = blocks.flatMap((block) =>
    block.transactions
      .filter(({ from, to, value }) => value > 0n && (addresses.has(from) || addresses.has(to ?? '')))
      .map((transaction) => ({ ...transaction, block })),
  );
  const receipts = await readReceipts(
    rpc,
    found.map((one) => one.hash),
  );
  return found.flatMap(({ hash: txHash, from, to, value, block }, index) => {
    const receipt = receipts[index];
    if (!receipt?.isSuccess) return [];
    const move: Sides['move'] = {
      kind: 'NativeTransfer',
      from,
      blockNumber: block.number,
      txHash,
      ...(to ? { to } : {}),
      value: value.toString(),
      timestamp: timeOf(block),
    };
    const fee = (receipt.gasUsed * (receipt.gasPrice ?? 0n)).toString();
    return bothSides({ addresses, id: txHash, move, fee });
  });
}

interface Sides {
  addresses: ReadonlySet<string>;
  id: string;
  move: Omit<Move, 'direction'>;
  fee?: string;
}

/** A wallet that sends to itself has both. */
function bothSides({ addresses, id, move, fee }: Sides): FoundMove[] {
  const out = { ...move, direction: 'Out', ...(fee ? { fee } : {}) } as const;
  return [
    ...(addresses.has(move.from) ? [{ address: move.from, id: `${id}/out`, move: out }] : []),
    ...(move.to && addresses.has(move.to)
      ? [{ address: move.to, id: `${id}/in`, move: { ...move, direction: 'In' } as const }]
      : []),
  ];
}
