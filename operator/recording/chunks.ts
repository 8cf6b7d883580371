import { maxChunkData, type RecordingChunkResource } from '../../core/api/resources/recordingChunk.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { packLines } from '../../core/lib/json/packedLines.ts';
import { parseLine, unpackChunks } from '../../core/recordings/recordedLines.ts';
import type { BlockRef } from './blocks.ts';
import { type ChunkKube, type ChunkObjects, type ChunkPlace, createChunkObjects } from './chunkObjects.ts';

/** Above this size a chunk takes no more: each addition sends the whole chunk again. */
const fullData = 128_000;
/** However well it compresses, additions stop at this length of the text. */
const longText = 4_000_000;

/**
 * The captured transactions of one network, in objects of at most 512 kB. After a failed call, do not use it
 * any more: open another one.
 */
export interface ChunkStore {
  /** The last block up to which everything is stored; undefined while nothing is. */
  last(): BlockRef | undefined;
  /** Number of objects. */
  count(): number;
  /** Number of transactions. */
  total(): number;
  /** Adds lines and the block up to which the chain was read; one write, unless they exceed a chunk. */
  append(lines: readonly string[], upTo: BlockRef): Promise<void>;
  /**
   * Drops transactions in blocks that are no longer on the chain. Returns the last block that still is and has a captured
   * transaction; undefined when none is left.
   */
  stepBack(isOnChain: (blocks: readonly BlockRef[]) => Promise<boolean[]>): Promise<BlockRef | undefined>;
}

/** The last chunk, or several that hold one text together. */
interface Segment {
  first: number;
  objects: Stored<RecordingChunkResource>[];
  lines: string[];
  /** Number of transactions before it. */
  before: number;
}

/** Reads the last chunks; `known` is about how many there are. */
export async function openChunkStore(kube: ChunkKube, place: ChunkPlace, known: number): Promise<ChunkStore> {
  const objects = createChunkObjects(kube, place);
  const open = await readSegmentBefore(objects, await countComplete(objects, known));
  return createChunkStore(objects, closedWhenFull(open), refOf(open.objects.at(-1)));
}

function createChunkStore(
  objects: ChunkObjects,
  opened: Segment,
  lastStored: BlockRef | undefined,
): ChunkStore {
  let open = opened;
  let last = lastStored;

  async function rewrite(lines: string[], upTo: BlockRef, data: string): Promise<void> {
    const { first, before } = open;
    const content = { first, data, upTo, total: before + lines.length };
    open = { first, before, lines, objects: await objects.write(content, open.objects) };
    last = upTo;
  }

  return {
    last: () => last,
    count: () => open.first + open.objects.length,
    total: () => totalOf(open),
    async append(lines, upTo) {
      const together = [...open.lines, ...lines];
      const packed = await packLines(together);
      const isTooMuch = packed.length > maxChunkData || lengthOf(together) > longText;
      if (open.objects.length === 0 || !isTooMuch) {
        await rewrite(together, upTo, packed);
      } else {
        open = segmentAfter(open);
        await rewrite([...lines], upTo, await packLines(lines));
      }
      open = closedWhenFull(open);
    },
    async stepBack(isOnChain) {
      for (;;) {
        if (open.objects.length === 0) open = await readSegmentBefore(objects, open.first);
        if (open.objects.length === 0) break;
        const ancestor = await lastOnChain(open.lines, isOnChain);
        if (ancestor) {
          const kept = open.lines.filter((line) => parseLine(line).transaction.block <= ancestor.number);
          await rewrite(kept, ancestor, await packLines(kept));
          return ancestor;
        }
        await objects.remove(open.objects);
        open = { ...open, objects: [], lines: [] };
      }
      last = undefined;
      return undefined;
    },
  };
}

const totalOf = ({ before, lines }: Segment): number => before + lines.length;

function closedWhenFull(segment: Segment): Segment {
  const size = segment.objects.reduce((sum, { spec }) => sum + spec.data.length, 0);
  return size > fullData ? segmentAfter(segment) : segment;
}

function segmentAfter(segment: Segment): Segment {
  const first = segment.first + segment.objects.length;
  return { first, objects: [], lines: [], before: totalOf(segment) };
}

async function lastOnChain(
  lines: readonly string[],
  isOnChain: (blocks: readonly BlockRef[]) => Promise<boolean[]>,
): Promise<BlockRef | undefined> {
  const blocks = new Map<number, BlockRef>();
  for (const line of lines) {
    const { transaction, block_hash: hash } = parseLine(line);
    blocks.set(transaction.block, { number: transaction.block, hash });
  }
  const refs = [...blocks.values()];
  const answers = await isOnChain(refs);
  return refs.findLast((_, index) => answers[index]);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

function refOf(chunk: Stored<RecordingChunkResource> | undefined): BlockRef | undefined {
  return chunk && { number: chunk.spec.lastBlock, hash: chunk.spec.lastHash };
}

/** How many chunks there are, after removing those that lack the end of their text. */
async function countComplete(objects: ChunkObjects, known: number): Promise<number> {
  let count = known;
  while (count > 0 && !(await objects.get(count - 1))) count--;
  if (count === known) while (await objects.get(count)) count++;
  for (; count > 0; count--) {
    const chunk = await objects.get(count - 1);
    if (!chunk?.spec.continues) return count;
    await objects.remove([chunk]);
  }
  return 0;
}

/** The segment that ends before the chunk `end`; one without objects at the beginning. */
async function readSegmentBefore(objects: ChunkObjects, end: number): Promise<Segment> {
  const found: Stored<RecordingChunkResource>[] = [];
  for (let index = end - 1; index >= 0; index--) {
    const chunk = await objects.get(index);
    if (!chunk || (found.length > 0 && !chunk.spec.continues)) break;
    found.unshift(chunk);
  }
  const lines = await unpackChunks(found.map(({ spec }) => spec));
  const before = (found.at(-1)?.spec.total ?? 0) - lines.length;
  return { first: end - found.length, objects: found, lines, before };
}
