import { z } from 'zod';
import { quantitySchema, read } from '../../../../core/evm/answers.ts';
import type { EvmRpc } from '../../../../core/evm/rpc.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { toQuantity } from '../../../../core/lib/text/quantity.ts';
import { firstNotBefore } from '../../../../core/lib/work/bisect.ts';
import { type Contents, emptyAt, type Tip, trimmed, upTo, withNewer, withOlder } from './contents.ts';
import { createPartReader, type IndexedBlock, wentBack } from './readBlocks.ts';

/** A chain that is so many blocks further is indexed again, from its newest block. */
const maxBehind = 1000;
/** How often it is tried to read a chain that goes back meanwhile. */
const maxTries = 5;

type Rpc = Pick<EvmRpc, 'batch'>;

/** The blocks of a chain from some block to its newest one. */
export interface ChainIndex {
  /** Those that have transactions, the oldest first. */
  readonly blocks: readonly IndexedBlock[];
  /** The blocks that were read; `from` is `to` + 1 while none was. */
  readonly covered: { from: number; to: number };
  /** What it keeps, in entries. */
  readonly size: number;
  /** Whether older blocks can be added. */
  readonly isOpen: boolean;
  /**
   * Reads what is new on the chain and forgets what it no longer has, then adds older blocks. Rejects with Unavailable when the node does
   * not answer, or goes back all the time.
   */
  read(rpc: Rpc, until: Until): Promise<void>;
}

/** When reading ends before the whole chain was read. */
interface Until {
  /** No time is left: what is new may be read the next time as well. */
  isLate(): boolean;
  /** No older blocks are needed. */
  isEnough(): boolean;
}

interface ChainIndexOptions {
  /** The first block of the chain. */
  first: number;
  /** How many entries are kept: of a longer chain, those of the newest blocks. */
  maxSize: number;
}

/** An index of one chain. `read` must not be called while it is at work. */
export function createChainIndex({ first, maxSize }: ChainIndexOptions): ChainIndex {
  const nothing: Tip = { number: first - 1, hash: '' };
  let contents = emptyAt(nothing);
  const readPart = createPartReader();
  const isOpen = () => !contents.isFull && contents.before.number >= first;

  async function readNewer(rpc: Rpc, head: Tip, isLate: Until['isLate']): Promise<void> {
    while (contents.newest.number < head.number && !isLate()) {
      const from = contents.newest.number + 1;
      const added = await readPart(rpc, (count) => ({ from, to: Math.min(head.number, from + count - 1) }));
      contents = added ? trimmed(withNewer(contents, added), maxSize) : emptyAt(head);
    }
  }

  async function readOnce(rpc: Rpc, { isLate, isEnough }: Until): Promise<void> {
    const head = await headOf(rpc);
    // A fork may have no block of its own.
    contents = head.number < first ? emptyAt(nothing) : await settled(rpc, contents, head);
    await readNewer(rpc, head, isLate);
    while (isOpen() && !isLate() && !isEnough()) {
      const to = contents.before.number;
      const added = await readPart(rpc, (count) => ({ from: Math.max(first, to - count + 1), to }));
      contents = added ? trimmed(withOlder(contents, added), maxSize) : { ...contents, isFull: true };
    }
  }

  return {
    get blocks() {
      return contents.blocks;
    },
    get covered() {
      return { from: contents.before.number + 1, to: contents.newest.number };
    },
    get size() {
      return contents.size;
    },
    get isOpen() {
      return isOpen();
    },
    async read(rpc, until) {
      for (let tries = 0; tries < maxTries; tries += 1) {
        try {
          return await readOnce(rpc, until);
        } catch (error) {
          if (error !== wentBack) throw error;
          contents = emptyAt(nothing);
        }
      }
      throw new AppError('Unavailable', 'the chain went back while it was read; retry', {
        retryAfterSeconds: 1,
      });
    },
  };
}

/** What of an index is still on the chain whose newest block is `head`. */
async function settled(rpc: Rpc, contents: Contents, head: Tip): Promise<Contents> {
  const { blocks, newest } = contents;
  if (newest.hash === '' || head.number - newest.number > maxBehind) return emptyAt(head);
  if (await isOnChain(rpc, newest, head)) return contents;
  // Blocks up to some one are still there, and none after it is.
  const gone = await firstNotBefore([0, blocks.length], async (index) => {
    const block = blocks[index];
    return block !== undefined && isOnChain(rpc, block, head);
  });
  return upTo(contents, gone) ?? emptyAt(head);
}

const tipSchema = z.object({ number: quantitySchema.transform(Number), hash: z.string() });

async function headOf(rpc: Rpc): Promise<Tip> {
  const [head] = await rpc.batch([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]);
  return read(tipSchema, head);
}

async function isOnChain(rpc: Rpc, { number, hash }: Tip, head: Tip): Promise<boolean> {
  if (number >= head.number) return hash === head.hash;
  const [block] = await rpc.batch([{ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] }]);
  return read(tipSchema.nullable(), block)?.hash === hash;
}
