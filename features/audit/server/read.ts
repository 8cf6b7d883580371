import type { Reading } from '../../../apiserver/http/paging/list.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { auditChunkType, maxChunkEntries } from '../api/chunk.ts';
import { chunkName, chunkSequences, type PlacedRecord, placedIn } from './chunks.ts';

/** Chunks that are read at the same time. */
const parallelReads = 4;
/** Replicas write in turns, so entries are not exactly in the order of their times. */
const disorderMs = 60_000;
const farSequence = 10 ** 10;

/** Ascending from the newest to the oldest; additions shift none. */
export function keyOf({ sequence, index }: Pick<PlacedRecord, 'sequence' | 'index'>): string {
  const indexLeft = String(maxChunkEntries - index).padStart(4, '0');
  return `${String(farSequence - sequence).padStart(11, '0')}/${indexLeft}`;
}

interface AuditReading extends Reading<PlacedRecord> {
  /** What is older need not be read. */
  sinceMs: number | undefined;
}

/** The matching entries of a namespace after a position, newest first: at least one more than `limit`, if there are. */
export async function readAudit(
  kube: Pick<Kube, 'get' | 'list'>,
  namespace: string,
  { matches, after = '', limit, sinceMs = 0 }: AuditReading,
): Promise<PlacedRecord[]> {
  const left = chunksAfter(await chunkSequences(kube, namespace), after);
  const found: PlacedRecord[] = [];
  let last = after;
  while (left.length > 0 && found.length <= limit) {
    const read = await Promise.all(
      left.splice(0, parallelReads).map((sequence) => readChunk(kube, namespace, sequence)),
    );
    // While chunks are put together, an entry may be in two of them.
    const placed = read.flat().filter((one) => {
      const isNext = keyOf(one) > last;
      if (isNext) last = keyOf(one);
      return isNext;
    });
    found.push(...placed.filter(matches));
    const oldest = placed.at(-1);
    if (oldest && Date.parse(oldest.record.at) < sinceMs - disorderMs) break;
  }
  return found;
}

/** `sequences` without those whose entries are all before a position. One chunk has entries of all up to the chunk before it. */
function chunksAfter(sequences: readonly number[], after: string): number[] {
  const first = sequences.findIndex((sequence) => keyOf({ sequence, index: 0 }) > after);
  if (first === -1) return sequences.slice(-1);
  return sequences.slice(Math.max(0, first - 1));
}

/** Newest first; empty for a chunk that was deleted meanwhile. */
async function readChunk(
  kube: Pick<Kube, 'get'>,
  namespace: string,
  sequence: number,
): Promise<PlacedRecord[]> {
  const chunk = await kube.get(auditChunkType, { namespace, name: chunkName(sequence) });
  return (chunk ? await placedIn(chunk) : []).reverse();
}
