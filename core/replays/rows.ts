import type { ReplayResource, ReplayRows } from '../api/resources/replayResource.ts';
import { replayType } from '../api/resources/resources.ts';
import type { ReplayedTransaction } from '../api/rest/replay.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import { AppError, isAppError } from '../lib/errors.ts';
import { packLines } from '../lib/json/packedLines.ts';
import { unpackChunks } from '../recordings/recordedLines.ts';
import { newPiece, pieceNameOf } from './runs.ts';

type RowKube = Pick<Kube, 'get' | 'create'>;

/** The stored outcomes of one network of a replay, in the order of its transactions. They are the replay's cursor. */
export interface Rows {
  /** How many transactions have a stored outcome. */
  total(): number;
  /** How many of them do not match. */
  unmatched(): number;
  add(row: ReplayedTransaction): void;
  /** The rows added so far are of whole batches: stores them when they are many. */
  commit(): Promise<void>;
  /** Stores all rows. */
  finish(): Promise<void>;
  /** The stored rows as lines of JSON, one object at a time. */
  read(): AsyncGenerator<string[]>;
}

/** An object has at most this much text, unless a single batch has more. */
const fullText = 400_000;

/** Finds what an earlier attempt stored. */
export async function openRows(kube: RowKube, run: Stored<ReplayResource>, network: string): Promise<Rows> {
  const get = (index: number) => readRows(kube, run, pieceNameOf(run, network, index));
  let count = 0;
  let last: ReplayRows | undefined;
  for (let next = await get(0); next; next = await get(count)) {
    last = next;
    count += 1;
  }
  let lines: string[] = [];
  let length = 0;
  let [total, unmatched] = [last?.total ?? 0, last?.unmatched ?? 0];
  let pending = { total, unmatched };

  async function write(): Promise<void> {
    if (lines.length === 0) return;
    const rows = { network, index: count, ...pending, data: await packLines(lines) };
    await createRows(kube, newPiece(run, pieceNameOf(run, network, count), { role: 'rows', rows }));
    [lines, length, count] = [[], 0, count + 1];
    ({ total, unmatched } = pending);
  }

  return {
    total: () => total,
    unmatched: () => unmatched,
    add(row) {
      const line = JSON.stringify(row);
      lines.push(line);
      length += line.length;
      pending = { total: pending.total + 1, unmatched: pending.unmatched + (row.match ? 0 : 1) };
    },
    commit: async () => {
      if (length > fullText) await write();
    },
    finish: write,
    async *read() {
      for (let index = 0; index < count; index++) {
        const rows = await get(index);
        if (!rows) throw lost();
        yield await unpackChunks([rows]);
      }
    },
  };
}

async function readRows(kube: RowKube, { metadata }: Stored<ReplayResource>, name: string) {
  const found = await kube.get(replayType, { namespace: metadata.namespace, name });
  return found?.spec.rows;
}

async function createRows(kube: RowKube, rows: ReplayResource): Promise<void> {
  try {
    await kube.create(replayType, rows);
  } catch (error) {
    throw isAppError(error, 'Conflict') ? lost() : error;
  }
}

const lostMessage = 'the replay is continued by another process: repeat the request with its Idempotency-Key';

/** Another process continues the replay, or has removed what it stored. */
export function lost(): AppError {
  return new AppError('Unavailable', lostMessage, { retryAfterSeconds: 5 });
}

/** Whether an error is a `lost`. */
export const isLost = (error: unknown): boolean =>
  isAppError(error, 'Unavailable') && error.message === lostMessage;
