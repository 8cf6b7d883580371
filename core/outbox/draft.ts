import { randomBytes } from 'node:crypto';
import type { OutboxBatch, OutboxResource, OutboxSpec } from '../api/resources/outbox.ts';
import type { Stored } from '../kube/kube.ts';
import { compact } from '../lib/compact.ts';
import { AppError } from '../lib/errors.ts';
import type { SignedTransaction } from '../signing/signing.ts';
import { batchesOf, packBatches } from './batches.ts';
import type { Submitted } from './findSubmitted.ts';
import { type Marks, marksOf, packMarked } from './marks.ts';
import { checkOpenLimit, openLoadOf } from './openBudget.ts';
import { newOutbox, type SenderQueueRef } from './outboxObjects.ts';
import { packed, packedHashAt } from './packedTransactions.ts';
import { type Accepted, type Submission, sizeOf } from './submission.ts';

/** A write to make: the sender queue's next spec, and the parts that must be created before it. */
export interface Draft {
  queue: SenderQueueRef;
  spec: OutboxSpec;
  parts: OutboxResource[];
  /** The batches that the write adds. */
  records: OutboxBatch[];
  /** One per submission of the group. */
  outcomes: Accepted[];
  /** Whether the write was sent and not answered. */
  isUncertain: boolean;
}

/** The state that a draft is based on. */
export interface Taken {
  head: Stored<OutboxResource> | undefined;
  first: number;
  /** By id of the batch: the first nonce of those that were found to be undone. */
  undone: ReadonlyMap<string, number>;
}

/** When the nonces of a draft count as taken. */
interface Moment {
  acceptedAt: string;
  /** By the clock of this process. */
  begunMs: number;
}

export interface DraftGroup {
  group: readonly Submission[];
  /** An id per submission, the same in each attempt. */
  ids: readonly string[];
  /** Submissions accepted before, by idempotency key. */
  known: ReadonlyMap<string, Submitted>;
  sign: SignGroup;
  /** Asked once everything is signed, which may take long. */
  now(): Promise<Moment>;
}

/** Signs the transactions of submissions with consecutive nonces, starting at `first`. */
export type SignGroup = (first: number, submissions: readonly Submission[]) => Promise<SignedTransaction[]>;

/** A sender queue's object stays small because every submission rewrites it. */
const maxInlineBytes = 48_000;
/** Signed bytes and hashes in one part. */
const maxPartBytes = 280_000;
/** Beyond this, a sender queue accepts nothing until something is mined. */
const maxQueueBytes = 380_000;

/** Assigns nonces to the new submissions of a group, signs them and lays them out. */
export async function draftOf(taken: Taken, { group, ids, known, sign, now }: DraftGroup): Promise<Draft> {
  const [sample] = group;
  if (!sample) throw new AppError('Internal', 'the group to commit is empty');
  const fresh = newSubmissions(group, known);
  checkQueue(taken.head, fresh);
  const signed = await sign(taken.first, fresh);
  const { acceptedAt, begunMs } = await now();
  const shares = sharesOf(fresh, signed);
  const records = recordsOf(shares, {
    ...taken,
    acceptedAt,
    idOf: (submission) => ids[group.indexOf(submission)] ?? '',
  });
  const layout = layOut(sample.queue, taken.head, records);
  const spec: OutboxSpec = {
    ...(taken.head?.spec ?? newOutbox(sample.queue, 'queue', {}).spec),
    next: taken.first + signed.length,
    ...packMarked([...batchesOf(taken.head), ...layout.records], marksWith(taken, records, { group, ids })),
  };
  const outcomes = group.map((submission) => ({
    ...outcomeOf(submission, shares, known),
    begunMs,
    batch: batchOf(
      records,
      shares.find((share) => share.submission === submission),
    ),
  }));
  return { queue: sample.queue, spec, parts: layout.parts, records, outcomes, isUncertain: false };
}

/** The marks of a queue, with those of new batches and of what was found to be undone. */
function marksWith(
  { head, undone }: Taken,
  records: readonly OutboxBatch[],
  { group, ids }: Pick<DraftGroup, 'group' | 'ids'>,
): Marks {
  const before = marksOf(head);
  const changed = [...undone].flatMap(([id, nonce]) => {
    const mark = before[id];
    return mark ? [[id, { ...mark, undone: Math.min(nonce, mark.undone ?? nonce) }] as const] : [];
  });
  const instance = group[0]?.node.instance;
  if (instance === undefined) return { ...before, ...Object.fromEntries(changed) };
  const queued = new Set(ids.filter((_, index) => group[index]?.isQueued));
  const added = records.map(
    ({ id }) => [id, { instance, ...(queued.has(id) ? { queued: true as const } : {}) }] as const,
  );
  return { ...before, ...Object.fromEntries([...changed, ...added]) };
}

/** Throws Unavailable when a sender queue has no room for more: until something is mined. */
function checkQueue(head: Taken['head'], fresh: readonly Submission[]): void {
  if (fresh.length === 0) return;
  const count = fresh.reduce((sum, { transactions }) => sum + transactions.length, 0);
  const bytes = fresh.reduce((sum, submission) => sum + sizeOf(submission), 0);
  checkOpenLimit('queue', openLoadOf(head), { count, bytes });
}

/** Submissions whose idempotency key is new; only the first of several with the same key. */
function newSubmissions(group: readonly Submission[], known: ReadonlyMap<string, Submitted>): Submission[] {
  const seen = new Set(known.keys());
  return group.filter(({ idempotencyKey }) => {
    if (idempotencyKey === undefined) return true;
    if (seen.has(idempotencyKey)) return false;
    seen.add(idempotencyKey);
    return true;
  });
}

/** Id of the record that has the transactions of a share; empty without one. */
function batchOf(records: readonly OutboxBatch[], share: Share | undefined): string {
  const nonce = share?.signed[0]?.nonce ?? -1;
  return records.find(({ first, count }) => nonce >= first && nonce < first + count)?.id ?? '';
}

interface Share {
  submission: Submission;
  signed: SignedTransaction[];
}

function sharesOf(submissions: readonly Submission[], signed: readonly SignedTransaction[]): Share[] {
  let start = 0;
  return submissions.map((submission) => {
    const end = start + submission.transactions.length;
    const share = { submission, signed: signed.slice(start, end) };
    start = end;
    return share;
  });
}

function outcomeOf(
  submission: Submission,
  shares: readonly Share[],
  known: ReadonlyMap<string, Submitted>,
): Omit<Accepted, 'begunMs' | 'batch'> {
  const own = shares.find((share) => share.submission === submission);
  if (own) return { hashes: own.signed.map(({ hash }) => hash), signed: own.signed, isRepeated: false };
  const earlier = known.get(submission.idempotencyKey ?? '');
  const twin = shares.find((share) => share.submission.idempotencyKey === submission.idempotencyKey);
  const hashes = earlier?.hashes ?? twin?.signed.map(({ hash }) => hash) ?? [];
  const digest = earlier ? earlier.digest : twin?.submission.digest;
  return { hashes, signed: [], isRepeated: true, ...compact({ digest }) };
}

interface Numbering extends Taken {
  acceptedAt: string;
  idOf(submission: Submission): string;
}

/** One record per submission; consecutive submissions without an idempotency key share one. */
function recordsOf(shares: readonly Share[], { first, acceptedAt, idOf }: Numbering): OutboxBatch[] {
  const records: OutboxBatch[] = [];
  let nonce = first;
  /** Whether the last record is. */
  let isQueued = false;
  for (const { submission, signed } of shares) {
    const { idempotencyKey, digest, user, request } = submission;
    const last = records.at(-1);
    const { hashes, raw } = packed(signed);
    const isShared =
      last &&
      idempotencyKey === undefined &&
      last.idempotencyKey === undefined &&
      last.user === user &&
      !submission.isQueued &&
      !isQueued;
    if (isShared) {
      last.count += signed.length;
      last.hashes += hashes;
      last.raw += `,${raw}`;
    } else {
      records.push({
        id: idOf(submission),
        first: nonce,
        count: signed.length,
        hashes,
        raw,
        ...compact({ idempotencyKey, digest, user, request }),
        acceptedAt,
      });
    }
    nonce += signed.length;
    isQueued = submission.isQueued === true;
  }
  return records;
}

interface Layout {
  /** As stored in the sender queue. */
  records: OutboxBatch[];
  parts: OutboxResource[];
}

function layOut(
  queue: SenderQueueRef,
  head: Stored<OutboxResource> | undefined,
  records: OutboxBatch[],
): Layout {
  if (records.length === 0) return { records, parts: [] };
  const before = head ? JSON.stringify(head.spec).length : 0;
  const inline = records.reduce((sum, record) => sum + bytesOf(record) + 300, before);
  if (inline <= maxInlineBytes) return { records, parts: [] };
  const pieces = groupPieces(records.flatMap(splitRecord));
  const parts = pieces.map((batches) =>
    newOutbox(queue, 'bytes', {
      batches: packBatches(batches),
      suffix: `-b${randomBytes(6).toString('hex')}`,
    }),
  );
  const slim = records.map(({ hashes: _hashes, raw = '', ...record }) => ({
    ...record,
    bytes: raw.length,
    parts: parts
      .filter((part) => batchesOf(part).some(({ id }) => id === record.id))
      .map(({ metadata }) => metadata.name),
  }));
  if (before + JSON.stringify(slim).length > maxQueueBytes) {
    const message = 'too many transactions of this key wait to be mined on this network; retry later';
    throw new AppError('Unavailable', message, { retryAfterSeconds: 5 });
  }
  return { records: slim, parts };
}

function bytesOf({ hashes = '', raw = '' }: OutboxBatch): number {
  return hashes.length + raw.length;
}

/** Pieces that each fit into a part. */
function splitRecord(record: OutboxBatch): OutboxBatch[] {
  const { hashes = '', raw = '', id, acceptedAt, first } = record;
  const pieces: OutboxBatch[] = [];
  for (const [index, text] of raw.split(',').entries()) {
    const hash = packedHashAt(hashes, index);
    const last = pieces.at(-1);
    if (last && bytesOf(last) + text.length + 65 <= maxPartBytes) {
      last.count++;
      last.hashes += hash;
      last.raw += `,${text}`;
    } else {
      pieces.push({ id, acceptedAt, first: first + index, count: 1, hashes: hash, raw: text });
    }
  }
  return pieces;
}

function groupPieces(pieces: readonly OutboxBatch[]): OutboxBatch[][] {
  const groups: OutboxBatch[][] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const current = groups.at(-1);
    bytes += bytesOf(piece) + 200;
    const isFull = !current || bytes > maxPartBytes + 200;
    if (isFull) bytes = bytesOf(piece) + 200;
    if (isFull) groups.push([piece]);
    else current.push(piece);
  }
  return groups;
}
