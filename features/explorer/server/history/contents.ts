import { type IndexedBlock, wentBack } from './readBlocks.ts';

/** A block by which the next one is recognized. */
export type Tip = Pick<IndexedBlock, 'number' | 'hash'>;

/** What an index has of a chain: the blocks after `before`, up to `newest`. */
export interface Contents {
  /** Those that have transactions, the oldest first. */
  blocks: readonly IndexedBlock[];
  before: Tip;
  newest: Tip;
  /** What is kept, in entries. */
  size: number;
  /** Whether older blocks were left out, because there was no room for them. */
  isFull: boolean;
}

/** The index of a chain of which nothing was read, whose newest block is `tip`. */
export function emptyAt(tip: Tip): Contents {
  return { blocks: [], before: tip, newest: tip, size: 0, isFull: false };
}

/** With the blocks that follow. Throws `wentBack` if they do not. */
export function withNewer(contents: Contents, added: readonly IndexedBlock[]): Contents {
  checkLinks(added, contents.newest.hash);
  const newest = added.at(-1) ?? contents.newest;
  const blocks = [...contents.blocks, ...added.filter(hasTransactions)];
  return { ...contents, newest, blocks, size: contents.size + sizeOfAll(added) };
}

/** With the blocks before those that it has. Throws `wentBack` if they are of another chain. */
export function withOlder(contents: Contents, added: readonly IndexedBlock[]): Contents {
  const [oldest] = added;
  if (!oldest) return contents;
  checkLinks(added, oldest.parentHash);
  if (added.at(-1)?.hash !== contents.before.hash) throw wentBack;
  const before = { number: oldest.number - 1, hash: oldest.parentHash };
  const blocks = [...added.filter(hasTransactions), ...contents.blocks];
  return { ...contents, before, blocks, size: contents.size + sizeOfAll(added) };
}

/** With its first `count` blocks alone; undefined for none. */
export function upTo(contents: Contents, count: number): Contents | undefined {
  const blocks = contents.blocks.slice(0, count);
  const newest = blocks.at(-1);
  return newest && { ...contents, newest, blocks, size: sizeOfAll(blocks), isFull: false };
}

/** Without its oldest blocks, as far as it has more than `maxSize` entries. */
export function trimmed(contents: Contents, maxSize: number): Contents {
  let { size } = contents;
  const blocks = contents.blocks.filter((block) => {
    if (size <= maxSize) return true;
    size -= sizeOf(block);
    return false;
  });
  const before = contents.blocks[contents.blocks.length - blocks.length - 1];
  return before ? { ...contents, before, blocks, size, isFull: true } : contents;
}

const sizeOfAll = (blocks: readonly IndexedBlock[]): number =>
  blocks.reduce((sum, block) => sum + sizeOf(block), 0);

/** Each transaction, with what was found in it. */
function sizeOf({ transactions }: IndexedBlock): number {
  return transactions.reduce(
    (sum, { inner, transfers }) =>
      sum + 1 + transfers.length + (inner ? inner.calls.length + inner.touched.length : 0),
    0,
  );
}

const hasTransactions = ({ transactions }: IndexedBlock): boolean => transactions.length > 0;

function checkLinks(blocks: readonly IndexedBlock[], before: string): void {
  let hash = before;
  for (const block of blocks) {
    if (block.parentHash !== hash) throw wentBack;
    hash = block.hash;
  }
}
