import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { createPace } from '../../core/lib/work/pace.ts';
import type { SubmissionRecord } from '../../core/outbox/records.ts';
import type { Reading } from '../http/paging/list.ts';
import { archivesAmong } from './outboxCache.ts';
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

/** So many records are compared with what is asked for within a few milliseconds. */
const recordsPerTurn = 1_000;

interface RecordReading extends Reading<SubmissionRecord> {
  /** Called with the number of records of each object that is read. */
  onRead(records: number): void;
}

/**
 * The matching records of a namespace after a position, newest first: at least one more than `limit`, if there are so
 * many. Reads archives from the newest on, and no more than it needs.
 */
export async function readRecords(
  deps: ArchiveDeps,
  namespace: string,
  { matches, after = '', limit, onRead }: RecordReading,
): Promise<SubmissionRecord[]> {
  const pace = createPace(recordsPerTurn);
  const wantedOf = async (records: readonly SubmissionRecord[]) => {
    onRead(records.length);
    await pace(records.length);
    return records.filter((record) => keyOf(record) > after && matches(record));
  };
  let found = await wantedOf(openRecordsIn(deps.outboxes, namespace));
  const beforeMs = after === '' ? Number.POSITIVE_INFINITY : acceptedMsOf(after);
  const archives = archivesAmong(deps.outboxes.byIndex('namespace', namespace))
    .filter(({ oldestMs }) => oldestMs <= beforeMs)
    .sort((one, other) => other.newestMs - one.newestMs);
  for (let [next] = archives; next; [next] = archives) {
    const { newestMs } = next;
    const isCertain = (record: SubmissionRecord) => acceptedMsOf(keyOf(record)) > newestMs;
    if (found.filter(isCertain).length > limit) break;
    const read = await Promise.all(
      archives.splice(0, parallelReads).map((archive) => deps.kube.get(outboxType, archive)),
    );
    const wanted: SubmissionRecord[] = [];
    for (const object of read) wanted.push(...(await wantedOf(recordsIn(deps, object))));
    found = newestFirst([...found, ...wanted]);
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
    const records = recordsIn(deps, await deps.kube.get(outboxType, archive));
    read.push(...records.filter((record) => record.hash === hash));
  }
  return newestFirst([...open, ...read]);
}

/** Empty for an archive that was deleted meanwhile. */
function recordsIn(
  { outboxes }: Pick<ArchiveDeps, 'outboxes'>,
  object: Stored<OutboxResource> | undefined,
): SubmissionRecord[] {
  return object ? recordsOf(outboxes, object) : [];
}
