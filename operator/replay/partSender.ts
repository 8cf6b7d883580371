import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import { lost } from '../../core/replays/rows.ts';
import { type Batch, createBatchSender } from './batchSender.ts';
import { toUnmined } from './compare.ts';
import { createFollower, type Follower } from './follow.ts';
import type { Performance } from './performance.ts';
import { createReplayReader } from './receipts.ts';
import { createScript } from './script.ts';

/** Sends the transactions of one network that have no outcome yet. */
export interface PartSender {
  /** Resolves when there is room for the next one. */
  add(index: number, recorded: RecordedTransaction): Promise<void>;
  /** Resolves when all outcomes are decided. */
  finish(): Promise<void>;
}

/** Maximum transactions per batch, and the approximate maximum of their data in bytes. */
const batchSize = 500;
const batchBytes = 2_000_000;
/**
 * A batch is sent when at most this many transactions are open, which is more than a block holds: the sender queue never
 * holds the whole replay. One with much data waits for all before it.
 */
const maxOpenBefore = 2_000;
const muchData = 200_000;

/** `first` is the index of the first transaction that will be added. */
export async function createPart(performance: Performance, first: number): Promise<PartSender> {
  let reason: string | undefined;
  const opened = await openSender(performance, first).catch((error: unknown) => {
    reason = reasonOf(performance, error);
    return undefined;
  });
  const { rows, waits, network, book } = performance;
  if (!opened) book.end(network);
  let batch: Batch | undefined;

  async function skip(recorded: RecordedTransaction): Promise<void> {
    rows.add(toUnmined(recorded, `not sent: ${reason}`));
    await rows.commit();
  }

  async function fail(why: string): Promise<void> {
    await opened?.follower.finish();
    reason = why;
    for (const { recorded } of batch?.items ?? []) await skip(recorded);
    batch = undefined;
    book.end(network);
  }

  async function flush(): Promise<void> {
    if (!opened || !batch) return;
    const why = await sendBatch(performance, opened, batch);
    if (why !== undefined) return fail(why);
    waits.moveTo(network, batch.first + batch.items.length);
    batch = undefined;
  }

  return {
    async add(index, recorded) {
      if (!opened || reason !== undefined) return skip(recorded);
      const awaited = opened.script.awaits(index, recorded);
      if (awaited.length > 0 && !batch?.accepted) await flush();
      for (const creation of awaited) await waits.until(network, creation);
      if (reason !== undefined) return skip(recorded);
      batch ??= await opened.sender.begin(index);
      batch.items.push({ index, recorded });
      batch.bytes += bytesOf(recorded);
      if (isFull(batch)) await flush();
    },
    async finish() {
      await flush();
      await opened?.follower.finish();
    },
  };
}

function bytesOf({ data, access_list: list = [], authorizations = [] }: RecordedTransaction): number {
  const named = list.reduce((sum, { storage_keys: keys }) => sum + 1 + keys.length, 0);
  return data.length / 2 + 33 * named + 130 * authorizations.length;
}

function isFull({ items, bytes, size }: Batch): boolean {
  return items.length >= (size ?? batchSize) || (size === undefined && bytes > batchBytes);
}

type Opened = Awaited<ReturnType<typeof openSender>>;

async function openSender(performance: Performance, first: number) {
  const { book, network, rows, clock } = performance;
  const target = await performance.open();
  const reader = createReplayReader(target);
  const script = createScript(book, network);
  const follower: Follower = createFollower({
    reader,
    clock,
    isAwaited: () => book.isAwaited(network),
    async settle({ index, recorded, isLast }, answer) {
      // The next attempt stores it.
      if (performance.isLost()) throw lost();
      if (answer.status !== 'pending') book.learn(index, network, { recorded, replayed: answer });
      rows.add(answer);
      if (isLast) await rows.commit();
    },
  });
  const sender = await createBatchSender(performance, { target, reader, script, follower }, first);
  return { script, follower, sender };
}

/** Why it could not be sent; undefined if it was. */
async function sendBatch(
  performance: Performance,
  { sender, follower }: Opened,
  batch: Batch,
): Promise<string | undefined> {
  await follower.room(batch.bytes > muchData ? 0 : maxOpenBefore);
  if (performance.isLost()) throw lost();
  const failure = follower.failure();
  if (failure !== undefined) return failure;
  try {
    await sender.send(batch);
    return undefined;
  } catch (error) {
    return refusalOf(batch, error) ?? reasonOf(performance, error);
  }
}

/** Why a batch was refused, by the transaction whose fault it is; undefined for other errors. */
function refusalOf({ items }: Batch, error: unknown): string | undefined {
  const [detail] = isAppError(error, 'BadRequest') ? error.details : [];
  const [, position, field = ''] = /^\[(\d+)\](?:\.(\w+))?/.exec(detail?.path ?? '') ?? [];
  const item = items[Number(position)];
  if (!detail || !item) return undefined;
  const problem = field === '' ? detail.message : `${field}: ${detail.message}`;
  return `transaction ${item.index} of those that are replayed cannot be sent (${problem}), so no more were sent to this network`;
}

/** Includes the path of the detail, which names the item in a large batch. Throws errors after which the run is tried again. */
function reasonOf({ isLost, isOutage }: Performance, error: unknown): string {
  if (isLost()) throw lost();
  if (isOutage(error)) throw error;
  const [detail] = isAppError(error) ? error.details : [];
  return detail ? `${messageOf(error)} (${detail.path})` : messageOf(error);
}
