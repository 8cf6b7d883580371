import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { apiVersion } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import {
  type AuditChunkResource,
  maxAuditChunks,
  maxChunkEntries,
} from '../../core/api/resources/records/auditChunk.ts';
import { auditChunkType } from '../../core/api/resources/resources.ts';
import { type AuditRecord, auditRecordSchema } from '../../core/api/rest/records/audit.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';

type ChunkKube = Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'delete'>;

const maxRemembered = 10_000;
/** Other replicas append to the same chunk. */
const maxAttempts = 8;
const recordsSchema = z.array(auditRecordSchema);

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

/** The entries of a chunk, oldest first; none of one that somebody corrupted by hand. */
export function recordsIn({ spec }: AuditChunkResource): AuditRecord[] {
  try {
    const lines = gunzipSync(Buffer.from(spec.data, 'base64')).toString('utf8').split('\n');
    return recordsSchema.parse(lines.map((line) => JSON.parse(line)));
  } catch {
    return [];
  }
}

function specOf(sequence: number, records: readonly AuditRecord[]): AuditChunkResource['spec'] {
  const data = gzipSync(records.map((record) => JSON.stringify(record)).join('\n')).toString('base64');
  const times = records.map(({ at }) => at).sort();
  return { sequence, entries: records.length, newest: times.at(-1) ?? '', data };
}

/** Appends entries to the newest chunk of a namespace. */
export type AppendRecords = (namespace: string, records: readonly AuditRecord[]) => Promise<void>;

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
    for (let attempt = 1; left.length > 0; ) {
      try {
        const written = await appendTo(kube, { namespace, sequence: await findNewest(namespace) }, left);
        if (written < left.length) newest.set(namespace, (await findNewest(namespace)) + 1);
        left = left.slice(written);
      } catch (error) {
        newest.delete(namespace);
        if (!isAppError(error, 'Conflict') || attempt === maxAttempts) throw error;
        attempt++;
      }
    }
  };
}

/** Writes as many entries as fit, and returns how many did. */
async function appendTo(
  kube: ChunkKube,
  { namespace, sequence }: { namespace: string; sequence: number },
  records: readonly AuditRecord[],
): Promise<number> {
  const place = { namespace, name: chunkName(sequence) };
  const chunk: Stored<AuditChunkResource> | undefined = await kube.get(auditChunkType, place);
  const known = chunk ? recordsIn(chunk) : [];
  const fitting = records.slice(0, maxChunkEntries - known.length);
  if (fitting.length === 0) return 0;
  const spec = specOf(sequence, [...known, ...fitting]);
  if (chunk) {
    await kube.replace(auditChunkType, { ...chunk, spec });
    return fitting.length;
  }
  // Others may have filled so many chunks since this one was known that it was deleted: it would be behind them all.
  const [newest = 0] = await chunkSequences(kube, namespace);
  if (newest > sequence) throw new AppError('Conflict', 'a newer chunk has begun');
  await kube.create(auditChunkType, { apiVersion, kind: 'AuditChunk', metadata: place, spec });
  await kube.delete(auditChunkType, { namespace, name: chunkName(sequence - maxAuditChunks) });
  return fitting.length;
}
