import { z } from 'zod';
import { apiVersion } from '../../../core/api/names.ts';
import type { Stored } from '../../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { packLines, unpackLines } from '../../../core/lib/json/packedLines.ts';
import { type AuditRecord, auditRecordSchema } from '../api/audit.ts';
import { type AuditChunkResource, auditChunkType, maxChunkEntries } from '../api/chunk.ts';

type ChunkKube = Pick<Kube, 'get' | 'list' | 'create' | 'replace'>;

const maxRemembered = 10_000;
/** Other replicas append to the same chunk. */
const maxAttempts = 8;
/** After as many chunks it is looked whether there are too many entries, which takes reading them all. */
const chunksPerLook = 4;

/** An entry, with the chunk and the index at which it was added if it is elsewhere now. */
const storedSchema = auditRecordSchema.extend({ place: z.tuple([z.int(), z.int()]).optional() });
const recordsSchema = z.array(storedSchema);
type StoredRecord = z.infer<typeof storedSchema>;

/** An entry and the place where it was added, which it keeps. */
export interface PlacedRecord {
  record: AuditRecord;
  sequence: number;
  index: number;
}

/** Names sort in the order of the chunks. */
export function chunkName(sequence: number): string {
  return `audit-${String(sequence).padStart(10, '0')}`;
}

/** The sequences of the chunks of a namespace, newest first. */
export async function chunkSequences(kube: Pick<Kube, 'list'>, namespace: string): Promise<number[]> {
  const { items } = await kube.list(auditChunkType, { namespace, isMetadataOnly: true });
  return items
    .map(({ metadata }) => Number(/^audit-(\d{10})$/.exec(metadata.name)?.[1] ?? 0))
    .filter((sequence) => sequence > 0)
    .sort((one, other) => other - one);
}

/** The entries of a chunk with their places, oldest first; none of one that somebody corrupted by hand. */
export async function placedIn(chunk: AuditChunkResource): Promise<PlacedRecord[]> {
  return (await recordsIn(chunk)).map(({ place, ...record }, position) => {
    const [sequence, index] = place ?? [chunk.spec.sequence, position];
    return { record, sequence, index };
  });
}

export function toStored({ record, sequence, index }: PlacedRecord): StoredRecord {
  return { ...record, place: [sequence, index] };
}

async function recordsIn({ spec }: AuditChunkResource): Promise<StoredRecord[]> {
  try {
    const lines = await unpackLines(spec.data);
    return recordsSchema.parse(lines.map((line) => JSON.parse(line)));
  } catch {
    return [];
  }
}

export async function specOf(
  sequence: number,
  records: readonly StoredRecord[],
): Promise<AuditChunkResource['spec']> {
  const data = await packLines(records.map((record) => JSON.stringify(record)));
  const times = records.map(({ at }) => at).sort();
  return { sequence, entries: records.length, newest: times.at(-1) ?? '', data };
}

/** Appends entries to the newest chunk of a namespace. Resolves to whether it is time to look for too many. */
export type AppendRecords = (namespace: string, records: readonly AuditRecord[]) => Promise<boolean>;

/**
 * Fills the newest chunk and then begins the next: replicas append to the same one, and whoever loses a race reads it
 * again. Only the newest chunk has room, so that the order of the chunks is that of the entries.
 */
export function createAppendRecords(kube: ChunkKube): AppendRecords {
  const newest = createBoundedMap<string, number>(maxRemembered);

  async function findNewest(namespace: string): Promise<number> {
    const sequence = newest.get(namespace) ?? (await chunkSequences(kube, namespace))[0] ?? 1;
    newest.set(namespace, sequence);
    return sequence;
  }

  return async (namespace, records) => {
    let left = records;
    let isDue = false;
    for (let attempt = 1; left.length > 0; ) {
      try {
        const sequence = await findNewest(namespace);
        const { written, isNew } = await appendTo(kube, { namespace, sequence }, left);
        if (written < left.length) newest.set(namespace, sequence + 1);
        isDue ||= isNew && sequence % chunksPerLook === 0;
        left = left.slice(written);
      } catch (error) {
        newest.delete(namespace);
        if (!isAppError(error, 'Conflict') || attempt === maxAttempts) throw error;
        attempt++;
      }
    }
    return isDue;
  };
}

/** Writes as many entries as fit, and returns how many did, and whether they are in a new chunk. */
async function appendTo(
  kube: ChunkKube,
  { namespace, sequence }: { namespace: string; sequence: number },
  records: readonly AuditRecord[],
): Promise<{ written: number; isNew: boolean }> {
  const place = { namespace, name: chunkName(sequence) };
  const chunk: Stored<AuditChunkResource> | undefined = await kube.get(auditChunkType, place);
  const known = chunk ? await recordsIn(chunk) : [];
  if (known.some(({ place: moved }) => moved)) throw new AppError('Conflict', 'newer chunks have begun');
  const fitting = records.slice(0, maxChunkEntries - known.length);
  const written = fitting.length;
  if (written === 0) return { written, isNew: false };
  const spec = await specOf(sequence, [...known, ...fitting]);
  if (chunk) {
    await kube.replace(auditChunkType, { ...chunk, spec });
    return { written, isNew: false };
  }
  // Others may have filled so many chunks since this one was known that it was deleted: it would be behind them all.
  const [newest = 0] = await chunkSequences(kube, namespace);
  if (newest > sequence) throw new AppError('Conflict', 'a newer chunk has begun');
  await kube.create(auditChunkType, { apiVersion, kind: 'AuditChunk', metadata: place, spec });
  return { written, isNew: true };
}
