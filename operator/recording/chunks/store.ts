import { idOf } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import type { RecordingChunkResource } from '../../../core/api/resources/recordingChunk.ts';
import type { RecordingResource } from '../../../core/api/resources/recordingResource.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { packLines } from '../../../core/lib/json/packedLines.ts';
import { chunkNameOf } from '../../../core/recordings/chunks.ts';
import { parseLine, unpackChunks } from '../../../core/recordings/recordedLines.ts';
import type { BlockRef } from '../blocks.ts';
import { type ChunkKube, type ChunkList, type ChunkObjects, createChunkObjects } from './objects.ts';
import { isWhole, segmentsOf } from './segments.ts';
import { createSharedTexts, type SharedTexts } from './shared.ts';

/** Shorter data is not worth the objects that share it. */
const sharedData = 16_000;

/** The owner of the chunks. */
export interface ChunkOwner {
  recording: Stored<RecordingResource>;
  network: string;
  networkID: string;
}

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
  /** Adds lines and the block up to which the chain was read; one write, unless they exceed a segment. */
  append(lines: readonly string[], upTo: BlockRef): Promise<void>;
  /**
   * Drops transactions in blocks that are no longer on the chain. Returns the last block that still is and has a captured
   * transaction; undefined when none is left.
   */
  stepBack(isOnChain: (blocks: readonly BlockRef[]) => Promise<boolean[]>): Promise<BlockRef | undefined>;
}

/** Where the chunks of a recording are, and the texts that it shares with others. */
interface ChunkStorage {
  objects: ChunkObjects;
  shared: SharedTexts;
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
export async function openChunkStore(kube: ChunkKube, place: ChunkOwner, known: number): Promise<ChunkStore> {
  const own = ownList(place);
  const places = { objects: createChunkObjects(kube, own), shared: createSharedTexts(kube, own) };
  const open = await readSegmentBefore(places, await countComplete(places.objects, known));
  return createChunkStore(places, closedIfWhole(open), refOf(open.objects.at(-1)));
}

function ownList({ recording, network, networkID }: ChunkOwner): ChunkList {
  const { name, labels: given } = recording.metadata;
  return {
    owner: recording,
    labels: compact({ [labels.recording]: idOf(recording), [labels.workspace]: given?.[labels.workspace] }),
    of: { recording: name, network, networkID },
    nameOf: (index) => chunkNameOf(idOf(recording), network, index),
  };
}

function createChunkStore(
  places: ChunkStorage,
  opened: Segment,
  lastStored: BlockRef | undefined,
): ChunkStore {
  let open = opened;
  let last = lastStored;

  async function rewrite(next: NextText): Promise<void> {
    open = closedIfWhole(await write(places, open, next));
    last = next.upTo;
  }

  return {
    last: () => last,
    count: () => open.first + open.objects.length,
    total: () => totalOf(open),
    async append(lines, upTo) {
      const segments = segmentsOf([...open.lines, ...lines]);
      const final = segments.pop() ?? [];
      for (const segment of segments) {
        await rewrite({ lines: segment, upTo: endOf(segment), isWhole: true });
        if (open.objects.length > 0) open = segmentAfter(open);
      }
      await rewrite({ lines: final, upTo, isWhole: isWhole(final) });
    },
    async stepBack(isOnChain) {
      for (;;) {
        if (open.objects.length === 0) open = await readSegmentBefore(places, open.first);
        if (open.objects.length === 0) break;
        const ancestor = await lastOnChain(open.lines, isOnChain);
        if (ancestor) {
          const lines = open.lines.filter((line) => parseLine(line).transaction.block <= ancestor.number);
          const isKept = sourceOf(open) !== undefined && lines.length === open.lines.length;
          await rewrite({ lines, upTo: ancestor, isWhole: isKept });
          return ancestor;
        }
        await places.objects.remove(open.objects);
        await releaseSource(places, open);
        open = { ...open, objects: [], lines: [] };
      }
      last = undefined;
      return undefined;
    },
  };
}

interface NextText {
  lines: string[];
  upTo: BlockRef;
  /** Nothing will be added to it. */
  isWhole: boolean;
}

/** Writes the present content of a segment, and releases a shared text that it no longer uses. */
async function write({ objects, shared }: ChunkStorage, open: Segment, next: NextText): Promise<Segment> {
  const { lines, upTo, isWhole: isFinal } = next;
  const data = await packLines(lines);
  const isShared = isFinal && data.length >= sharedData;
  const source = isShared ? await shared.keep({ lines, data, upTo }) : undefined;
  const content = {
    first: open.first,
    upTo,
    total: open.before + lines.length,
    source,
    // Earlier versions see a chunk without transactions, and notice by the total that some are missing.
    data: isShared ? await packLines([]) : data,
  };
  const written = await objects.write(content, open.objects);
  if (source !== sourceOf(open)) await releaseSource({ shared }, open);
  return { ...open, lines, objects: written };
}

async function releaseSource({ shared }: Pick<ChunkStorage, 'shared'>, segment: Segment): Promise<void> {
  const source = sourceOf(segment);
  if (source !== undefined) await shared.release(source);
}

const sourceOf = ({ objects }: Segment): string | undefined => objects.at(-1)?.spec.source;

const totalOf = ({ before, lines }: Segment): number => before + lines.length;

function closedIfWhole(segment: Segment): Segment {
  return sourceOf(segment) !== undefined || isWhole(segment.lines) ? segmentAfter(segment) : segment;
}

function segmentAfter(segment: Segment): Segment {
  const first = segment.first + segment.objects.length;
  return { first, objects: [], lines: [], before: totalOf(segment) };
}

/** The last block of which these lines have a transaction. */
function endOf(lines: readonly string[]): BlockRef {
  const { block_hash: hash, transaction } = parseLine(lines.at(-1) ?? '');
  return { number: transaction.block, hash };
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
async function readSegmentBefore({ objects, shared }: ChunkStorage, end: number): Promise<Segment> {
  const found: Stored<RecordingChunkResource>[] = [];
  for (let index = end - 1; index >= 0; index--) {
    const chunk = await objects.get(index);
    if (!chunk || (found.length > 0 && !chunk.spec.continues)) break;
    found.unshift(chunk);
  }
  const source = found.at(-1)?.spec.source;
  const lines = source ? await shared.read(source) : await unpackChunks(found.map(({ spec }) => spec));
  const before = (found.at(-1)?.spec.total ?? 0) - lines.length;
  return { first: end - found.length, objects: found, lines, before };
}
