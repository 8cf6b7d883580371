import { maxChunkEntries } from '../../core/api/resources/records/auditChunk.ts';
import { auditChunkType } from '../../core/api/resources/resources.ts';
import type { AuditRecord } from '../../core/api/rest/records/audit.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Reading } from '../http/paging/list.ts';
import { chunkName, chunkSequences, recordsIn } from './chunks.ts';

/** An entry and its place. */
export interface PlacedRecord {
  record: AuditRecord;
  sequence: number;
  index: number;
}

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
  const sequences = await chunkSequences(kube, namespace);
  const left = sequences.filter((sequence) => keyOf({ sequence, index: 0 }) > after);
  const found: PlacedRecord[] = [];
  while (left.length > 0 && found.length <= limit) {
    const read = await Promise.all(
      left.splice(0, parallelReads).map((sequence) => readChunk(kube, namespace, sequence)),
    );
    const placed = read.flat();
    found.push(...placed.filter((one) => keyOf(one) > after && matches(one)));
    const last = placed.at(-1);
    if (last && Date.parse(last.record.at) < sinceMs - disorderMs) break;
  }
  return found;
}

/** Newest first; empty for a chunk that was deleted meanwhile. */
async function readChunk(
  kube: Pick<Kube, 'get'>,
  namespace: string,
  sequence: number,
): Promise<PlacedRecord[]> {
  const chunk = await kube.get(auditChunkType, { namespace, name: chunkName(sequence) });
  return (chunk ? recordsIn(chunk) : []).map((record, index) => ({ record, sequence, index })).reverse();
}
