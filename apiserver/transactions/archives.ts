import { outboxType } from '../../core/api/resources/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { SubmissionRecord } from '../../core/outbox/records.ts';
import type { Reading } from '../http/paging/list.ts';
import { type ArchiveRef, archivesAmong } from './outboxCache.ts';
import {
  acceptedMsOf,
  keyOf,
  newestFirst,
  type OutboxView,
  openRecordsByHash,
  openRecordsIn,
  recordsOf,
} from './records.ts';

export interface ArchiveDeps {
  kube: Pick<Kube, 'get'>;
  outboxes: OutboxView;
}

/** Archives that are read at the same time. */
const parallelReads = 8;

/**
 * The matching records of a namespace after a position, newest first: at least one more than `limit`, if there are so
 * many. Reads archives from the newest on, and no more than it needs.
 */
export async function readRecords(
  deps: ArchiveDeps,
  namespace: string,
  { matches, after = '', limit }: Reading<SubmissionRecord>,
): Promise<SubmissionRecord[]> {
  const isWanted = (record: SubmissionRecord) => keyOf(record) > after && matches(record);
  let found = openRecordsIn(deps.outboxes, namespace).filter(isWanted);
  const beforeMs = after === '' ? Number.POSITIVE_INFINITY : acceptedMsOf(after);
  const archives = archivesAmong(deps.outboxes.byIndex('namespace', namespace))
    .filter(({ oldestMs }) => oldestMs <= beforeMs)
    .sort((one, other) => other.newestMs - one.newestMs);
  for (let [next] = archives; next; [next] = archives) {
    const { newestMs } = next;
    const isCertain = (record: SubmissionRecord) => acceptedMsOf(keyOf(record)) > newestMs;
    if (found.filter(isCertain).length > limit) break;
    const read = await Promise.all(
      archives.splice(0, parallelReads).map((archive) => recordsInArchive(deps, archive)),
    );
    found = newestFirst([...found, ...read.flat().filter(isWanted)]);
  }
  return found;
}

/** All records with the hash, newest first: the same bytes may be on two networks, or in two incarnations of one. */
export async function readRecordsByHash(
  deps: ArchiveDeps,
  namespace: string,
  hash: string,
): Promise<SubmissionRecord[]> {
  const archives = archivesAmong(deps.outboxes.byIndex('namespace', namespace), hash);
  const open = openRecordsByHash(deps.outboxes, namespace, hash);
  const read: SubmissionRecord[] = [];
  for (const archive of archives) {
    const records = await recordsInArchive(deps, archive);
    read.push(...records.filter((record) => record.hash === hash));
  }
  return newestFirst([...open, ...read]);
}

/** Empty for an archive that was deleted meanwhile. */
async function recordsInArchive(
  { kube, outboxes }: ArchiveDeps,
  { namespace, name }: ArchiveRef,
): Promise<SubmissionRecord[]> {
  const object = await kube.get(outboxType, { namespace, name });
  return object ? recordsOf(outboxes, object) : [];
}
