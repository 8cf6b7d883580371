import { type Effect, readEffects } from '../../core/evm/authorizations/effects.ts';
import { createCreationTracer, minCreationGas } from '../../core/evm/createdContracts.ts';
import { inHalves } from '../../core/evm/inHalves.ts';
import { type Instance, instanceCall, instanceOf } from '../../core/evm/instance.ts';
import { parseWithEvents, type ReceiptWithEvents, readReceiptAnswers } from '../../core/evm/receipts.ts';
import type { EvmRpc, RpcCall, RpcOutcome } from '../../core/evm/rpc.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { toQuantity } from '../../core/lib/text/quantity.ts';
import { firstNotBefore } from '../../core/lib/work/bisect.ts';
import { formatLine } from '../../core/recordings/recordedLines.ts';
import { type Block, type BlockRef, toBlock, toHash, toHashes, toNumber, toSeconds } from './blocks.ts';
import { authorizationsOf, bytesOf, toRecorded } from './transactions.ts';

/** The head of a chain, and some of its blocks. */
export interface ChainSnapshot {
  head: number;
  /** Hashes of the requested blocks; undefined for one that does not exist. */
  hashes: (string | undefined)[];
  /** The process that answered. */
  instance: Instance;
}

interface Captured {
  /** The last block of an unbroken line from `after`; undefined when not even the first block follows on it. */
  upTo: BlockRef | undefined;
  lines: string[];
  bytes: number;
}

/** One chain as a recording of one wallet reads it. Unavailable when the node cannot be used. */
export interface WalletReader {
  look(numbers: readonly number[]): Promise<ChainSnapshot>;
  /** The wallet's transactions in at most `count` blocks after `after`. */
  read(after: BlockRef, count: number): Promise<Captured>;
  /** The first block that is not older than a time (seconds since the epoch); the next one when there is none. */
  firstBlockSince(seconds: number): Promise<number>;
}

/** A reader that knows two ways to read. */
interface ChainReader extends WalletReader {
  /** The wallet's transactions in the block after `after`, whose transactions are too long to be parsed together. */
  readLong(after: BlockRef): Promise<Captured>;
}

/** `wallet` in lower case. */
export function createWalletReader(rpc: EvmRpc, wallet: string): ChainReader {
  const ask: Ask = async (calls) => (await rpc.batch(calls)).map(resultOf);
  const details = createDetailsReader(rpc);
  const capture = async (after: BlockRef, found: readonly (Block | undefined)[]): Promise<Captured> => {
    const bytes = found.reduce((sum, block) => sum + (block?.bytes ?? 0), 0);
    const blocks = firstOf(unbrokenFrom(after, found));
    return { ...linesOf(blocks, await details(blocks)), bytes };
  };
  return {
    async look(numbers) {
      const [metadata, ...outcomes] = await rpc.batch([instanceCall, headCall, ...numbers.map(headerCall)]);
      const [head, ...blocks] = outcomes.map(resultOf);
      return { head: toNumber(head), hashes: blocks.map(toHash), instance: instanceOf(rpc, metadata) };
    },
    async read(after, count) {
      const numbers = Array.from({ length: count }, (_, index) => after.number + 1 + index);
      const answers = await ask(numbers.map(blockCall));
      return capture(
        after,
        answers.map((answer) => toBlock(answer, wallet)),
      );
    },
    async readLong(after) {
      return capture(after, [await readInParts(ask, after.number + 1, wallet)]);
    },
    async firstBlockSince(seconds) {
      const [head] = await ask([headCall]);
      return firstNotBefore([1, toNumber(head) + 1], async (number) => {
        const [block] = await ask([headerCall(number)]);
        return toSeconds(block) < seconds;
      });
    },
  };
}

type Ask = (calls: readonly RpcCall[]) => Promise<unknown[]>;

/** How many transactions are parsed together. */
const partLength = 250;

async function readInParts(ask: Ask, number: number, wallet: string): Promise<Block | undefined> {
  const [header] = await ask([headerCall(number)]);
  const hashes = toHashes(header);
  const block = toBlock(withTransactions(header, []), wallet);
  if (!block) return undefined;
  // Of each part, what is not the wallet's is given up before the next one is asked for.
  const readPart = async (calls: readonly RpcCall[]) => [
    toBlock(withTransactions(header, await ask(calls)), wallet),
  ];
  const calls = hashes.map((_, index) => callOf(block, index));
  for (let first = 0; first < calls.length; first += partLength) {
    for (const part of await inHalves(calls.slice(first, first + partLength), readPart)) {
      block.transactions.push(...(part?.transactions ?? []));
      block.bytes += part?.bytes ?? 0;
    }
  }
  return block;
}

const withTransactions = (header: unknown, transactions: unknown[]): unknown =>
  header === null ? null : { ...Object(header), transactions };

/** By the hashes of transactions. */
interface Details {
  receipts: Map<string, ReceiptWithEvents>;
  /** Contracts created by internal calls; requested only for transactions that can have created any. */
  creations: Map<string, string[] | undefined>;
  /** The outcomes of authorizations, for transactions that carry some. */
  effects: Map<string, Effect[]>;
}

function createDetailsReader(rpc: EvmRpc) {
  const tracer = createCreationTracer(rpc);
  return async (blocks: readonly Block[]): Promise<Details> => {
    const hashes = blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
    const answers = await readReceiptAnswers(rpc, hashes).catch(unavailable);
    const receipts = answers.map(parseWithEvents).filter((receipt) => receipt !== undefined);
    const creators = receipts
      .filter(({ isSuccess, gasUsed }) => isSuccess && gasUsed >= minCreationGas)
      .map(({ hash }) => hash);
    const created = await tracer.createdBy(creators);
    return {
      receipts: new Map(receipts.map((receipt) => [receipt.hash, receipt])),
      creations: new Map(creators.map((hash, index) => [hash, created[index]])),
      effects: await effectsIn(rpc, blocks),
    };
  };
}

async function effectsIn(rpc: EvmRpc, blocks: readonly Block[]): Promise<Details['effects']> {
  const effects: Details['effects'] = new Map();
  for (const { number, transactions } of blocks) {
    for (const transaction of transactions) {
      const { hash, chainId } = transaction;
      const authorizations = authorizationsOf(transaction);
      if (authorizations.length === 0 || !chainId) continue;
      const mined = { authorizations, block: number, chainId: BigInt(chainId).toString() };
      effects.set(hash, await readEffects(rpc, mined));
    }
  }
  return effects;
}

function linesOf(blocks: readonly Block[], details: Details): Pick<Captured, 'upTo' | 'lines'> {
  const lines: string[] = [];
  let upTo: BlockRef | undefined;
  for (const block of blocks) {
    const own = linesOfBlock(block, details);
    // The chain changed while it was read: what follows is read again.
    if (!own) break;
    lines.push(...own);
    upTo = { number: block.number, hash: block.hash };
  }
  return { upTo, lines };
}

/** Undefined when a receipt is not of this block. */
function linesOfBlock(block: Block, { receipts, creations, effects }: Details): string[] | undefined {
  const lines: string[] = [];
  for (const transaction of block.transactions) {
    const receipt = receipts.get(transaction.hash);
    if (receipt?.blockHash !== block.hash) return undefined;
    const created = creations.get(transaction.hash);
    const applied = (effects.get(transaction.hash) ?? []).map(({ isApplied }) => isApplied);
    const recorded = toRecorded(transaction, { block, receipt, created, applied });
    lines.push(formatLine({ block_hash: block.hash, transaction: recorded }));
  }
  return lines;
}

const headCall: RpcCall = { method: 'eth_blockNumber', params: [] };

function blockCall(number: number): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [toQuantity(number), true] };
}

/** A transaction by its place in a block. */
function callOf({ hash }: BlockRef, index: number): RpcCall {
  return { method: 'eth_getTransactionByBlockHashAndIndex', params: [hash, toQuantity(index)] };
}

function headerCall(number: number): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [toQuantity(number), false] };
}

function resultOf(outcome: RpcOutcome): unknown {
  return 'result' in outcome ? outcome.result : unavailable(outcome.error);
}

/** A node that answers with an error cannot be used. */
function unavailable(error: unknown): never {
  if (!isAppError(error) || error.reason === 'Unavailable') throw error;
  throw new AppError('Unavailable', error.message, { cause: error });
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

/** The most that one step keeps, which fits into a single chunk; the rest is read again. */
const maxStepBytes = 4_000_000;

/** The first blocks, as many as the wallet's transactions in them are no more than a step may keep; at least one. */
function firstOf(blocks: readonly Block[]): Block[] {
  let bytes = 0;
  const end = blocks.findIndex(({ transactions }, index) => {
    bytes += transactions.reduce((sum, transaction) => sum + bytesOf(transaction), 0);
    return index > 0 && bytes > maxStepBytes;
  });
  return end === -1 ? [...blocks] : blocks.slice(0, end);
}
