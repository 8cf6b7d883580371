import { createCreationTracer, minCreationGas } from '../../core/evm/createdContracts.ts';
import type { EvmRpc, RpcCall, RpcOutcome } from '../../core/evm/rpc.ts';
import { AppError } from '../../core/lib/errors.ts';
import { formatLine } from '../../core/recordings/recordedLines.ts';
import {
  type Block,
  type BlockRef,
  type Receipt,
  toBlock,
  toHash,
  toNumber,
  toReceipt,
  toRecorded,
  toSeconds,
} from './blocks.ts';

/** Where a chain is, beside some of its blocks. */
export interface ChainSnapshot {
  head: number;
  /** Of the blocks that were asked for; undefined for one that is not there. */
  hashes: (string | undefined)[];
}

export interface Captured {
  /** The last block of an unbroken line from `after`; undefined when not even the first block follows on it. */
  upTo: BlockRef | undefined;
  lines: string[];
  bytes: number;
}

/** One chain as a recording of one wallet reads it. Unavailable when the node cannot be used. */
export interface ChainReader {
  look(numbers: readonly number[]): Promise<ChainSnapshot>;
  /** The wallet's transactions in at most `count` blocks after `after`. */
  read(after: BlockRef, count: number): Promise<Captured>;
  /** The first block that is not older than a time (seconds since the epoch); the next one when there is none. */
  firstBlockSince(seconds: number): Promise<number>;
}

/** `wallet` in lower case. */
export function createChainReader(rpc: EvmRpc, wallet: string): ChainReader {
  const tracer = createCreationTracer(rpc);

  async function ask(calls: readonly RpcCall[]): Promise<unknown[]> {
    return (await rpc.batch(calls)).map(resultOf);
  }

  async function receiptsOf(blocks: readonly Block[]): Promise<Map<string, Receipt>> {
    const hashes = blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
    const answers = await ask(
      hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    );
    const receipts = answers.map(toReceipt).filter((receipt) => receipt !== undefined);
    return new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
  }

  /** By hash of the transaction; asked for those alone that can have created anything inside. */
  async function creationsOf(receipts: Iterable<Receipt>): Promise<Map<string, string[] | undefined>> {
    const hashes = [...receipts]
      .filter(({ status, gasUsed }) => status === 1 && gasUsed >= minCreationGas)
      .map(({ transactionHash }) => transactionHash);
    const created = await tracer.createdBy(hashes);
    return new Map(hashes.map((hash, index) => [hash, created[index]]));
  }

  async function linesOf(blocks: readonly Block[]): Promise<Pick<Captured, 'upTo' | 'lines'>> {
    const receipts = await receiptsOf(blocks);
    const creations = await creationsOf(receipts.values());
    const lines: string[] = [];
    let upTo: BlockRef | undefined;
    for (const block of blocks) {
      const found = block.transactions.map((transaction) => ({
        transaction,
        receipt: receipts.get(transaction.hash),
      }));
      const own: string[] = [];
      for (const { transaction, receipt } of found) {
        // The chain changed while it was read: what follows is read again.
        if (receipt?.blockHash !== block.hash) return { upTo, lines };
        const recorded = toRecorded(transaction, block, {
          receipt,
          created: creations.get(transaction.hash),
        });
        own.push(formatLine({ block_hash: block.hash, transaction: recorded }));
      }
      lines.push(...own);
      upTo = { number: block.number, hash: block.hash };
    }
    return { upTo, lines };
  }

  return {
    async look(numbers) {
      const [head, ...blocks] = await ask([
        { method: 'eth_blockNumber', params: [] },
        ...numbers.map(headerCall),
      ]);
      return { head: toNumber(head), hashes: blocks.map(toHash) };
    },
    async read(after, count) {
      const answers = await ask(
        Array.from({ length: count }, (_, index) => ({
          method: 'eth_getBlockByNumber',
          params: [toHex(after.number + 1 + index), true],
        })),
      );
      const blocks = unbrokenFrom(
        after,
        answers.map((answer) => toBlock(answer, wallet)),
      );
      const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
      return { ...(await linesOf(blocks)), bytes };
    },
    async firstBlockSince(seconds) {
      const [head] = await ask([{ method: 'eth_blockNumber', params: [] }]);
      let [low, high] = [1, toNumber(head) + 1];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const [block] = await ask([headerCall(middle)]);
        if (toSeconds(block) < seconds) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

function headerCall(number: number): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [toHex(number), false] };
}

function resultOf(outcome: RpcOutcome): unknown {
  if ('result' in outcome) return outcome.result;
  if (outcome.error.reason === 'Unavailable') throw outcome.error;
  throw new AppError('Unavailable', outcome.error.message, { cause: outcome.error });
}

function unbrokenFrom(after: BlockRef, blocks: readonly (Block | undefined)[]): Block[] {
  const line: Block[] = [];
  let last = after;
  for (const block of blocks) {
    if (block?.number !== last.number + 1 || block.parentHash !== last.hash) return line;
    line.push(block);
    last = block;
  }
  return line;
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`;
}
