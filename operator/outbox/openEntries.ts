import type {
  BatchMark,
  GapTransaction,
  OutboxBatch,
  OutboxResource,
} from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { marksOf } from '../../core/outbox/marks.ts';
import { hashesIn } from '../../core/outbox/packedTransactions.ts';
import type { OutboxDeps } from './deps.ts';
import type { QueueMemory } from './memory.ts';

/** A transaction that is not settled. Its bytes stay in Kubernetes until they are needed: see bytes.ts. */
export interface OpenEntry {
  /** Not its hash, which is that of another entry if the same transaction was submitted again after a revert. */
  key: string;
  nonce: number;
  hash: string;
  acceptedMs: number;
  batch: OutboxBatch;
  /** Undefined when an earlier version accepted it. */
  mark: BatchMark | undefined;
  /** The object with its bytes; absent when the batch contains them itself. */
  part?: string;
}

/** The unsettled entries of a sender queue. */
export interface OpenQueue {
  head: Stored<OutboxResource>;
  /** By nonce; only those of the first batches: later ones follow when these are settled. */
  entries: OpenEntry[];
  /** By the nonce that they use up. */
  gapTransactions: Map<number, GapTransaction>;
}

/** Batches are opened until they have so many entries: one tenant's backlog must not fill the operator's memory. */
const maxOpened = 2000;

export async function openQueue(
  deps: Pick<OutboxDeps, 'kube'>,
  head: Stored<OutboxResource>,
  memory: Pick<QueueMemory, 'parts'>,
): Promise<OpenQueue> {
  const entries: OpenEntry[] = [];
  const named = new Set<string>();
  const marks = marksOf(head);
  for (const batch of batchesOf(head)) {
    if (entries.length >= maxOpened) break;
    const acceptedMs = parseRfc3339(batch.acceptedAt) ?? 0;
    const found = await findHashes(deps, { head, batch, memory });
    for (const part of batch.parts ?? []) named.add(part);
    const mark = marks[batch.id];
    entries.push(
      ...found.map((one, index) => {
        const nonce = batch.first + index;
        return { ...one, key: `${batch.id}/${nonce}`, nonce, acceptedMs, batch, mark };
      }),
    );
  }
  for (const part of memory.parts.keys()) if (!named.has(part)) memory.parts.delete(part);
  const gapTransactions = new Map(
    (head.spec.gapTransactions ?? []).map((gapTransaction) => [gapTransaction.nonce, gapTransaction]),
  );
  return { head, entries, gapTransactions };
}

interface Opening {
  head: Stored<OutboxResource>;
  batch: OutboxBatch;
  memory: Pick<QueueMemory, 'parts'>;
}

/** The hashes of a batch; parts are read one after the other, and only their hashes are remembered. */
async function findHashes(
  { kube }: Pick<OutboxDeps, 'kube'>,
  { head, batch, memory }: Opening,
): Promise<Pick<OpenEntry, 'hash' | 'part'>[]> {
  if (!batch.parts) return hashesIn(batch).map((hash) => ({ hash }));
  const found: Pick<OpenEntry, 'hash' | 'part'>[] = [];
  for (const part of batch.parts) {
    const known = memory.parts.get(part) ?? hashesInPart(await readPart(kube, head, part));
    memory.parts.set(part, known);
    found.push(...(known.get(batch.id) ?? []).map((hash) => ({ hash, part })));
  }
  if (found.length !== batch.count) throw missingPart();
  return found;
}

/** A part of a sender queue. Unavailable when it does not exist (yet). */
export async function readPart(
  kube: OutboxDeps['kube'],
  { metadata: { namespace } }: Stored<OutboxResource>,
  name: string,
): Promise<readonly OutboxBatch[]> {
  const part = await kube.get(outboxType, { namespace, name });
  if (!part) throw missingPart();
  return batchesOf(part);
}

function hashesInPart(pieces: readonly OutboxBatch[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const piece of pieces) found.set(piece.id, [...(found.get(piece.id) ?? []), ...hashesIn(piece)]);
  return found;
}

function missingPart(): AppError {
  return new AppError('Unavailable', 'a part of the Outbox does not exist yet', { retryAfterSeconds: 1 });
}
