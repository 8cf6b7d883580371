import { idOf } from '../../../core/api/ids.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { type AddressBook, createAddressBook } from './addressBook.ts';
import { streamAnswer } from './answer.ts';
import { perform } from './perform.ts';
import type { Part } from './plan.ts';
import type { Rows } from './rows.ts';
import type { Run } from './run.ts';
import { newChain, type ReplayTarget } from './target.ts';
import { createWaits } from './waits.ts';

export interface Parts {
  run: Run;
  runId: string;
  parts: readonly Part[];
  open(part: Part): Promise<ReplayTarget>;
  caller: string;
  isRepeated: boolean;
  clock: Clock;
}

interface PerformedPart {
  part: Part;
  rows: Rows;
}

/** Does what is left of a run, on all networks in parallel. Resolves to the text of the answer. */
export async function runParts(options: Parts): Promise<AsyncIterable<string>> {
  const { run, parts } = options;
  try {
    const done: PerformedPart[] = [];
    for (const part of parts) done.push({ part, rows: await run.rowsOf(part.recordedId) });
    if (run.isFinished) return streamAnswer(done);
    await performAll(options, done);
    await run.finish();
    return streamAnswer(done);
  } catch (error) {
    if (!run.isFinished) await run.release().catch(() => undefined);
    throw error;
  }
}

async function performAll(options: Parts, done: readonly PerformedPart[]): Promise<void> {
  const { run, runId, caller, isRepeated, clock } = options;
  const book = createAddressBook(caller);
  await survey(book, options.parts);
  const waits = createWaits(book);
  const works = done.map(({ part, rows }, network) =>
    perform({
      network,
      book,
      waits,
      rows,
      isRepeated,
      clock,
      transactions: part.read(),
      open: () => openOnSameChain(options, part),
      key: `replay:${runId}:${idOf(part.target)}`,
      isLost: run.isLost,
    }),
  );
  // One failure must not leave the others at work when the run is released.
  const results = await Promise.allSettled(works);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Finds out where contracts are created, before anything is sent: networks refer to each other in any order. */
async function survey(book: AddressBook, parts: readonly Part[]): Promise<void> {
  for (const [network, part] of parts.entries()) {
    let index = 0;
    for await (const transactions of part.read()) {
      for (const recorded of transactions) book.survey(network, index++, recorded);
    }
  }
}

/** A replay does not continue on another chain than the one it began on. */
async function openOnSameChain({ run, open }: Parts, part: Part): Promise<ReplayTarget> {
  const target = await open(part);
  const { incarnation } = target;
  if ((await run.incarnationOf(part.recordedId, incarnation)) !== incarnation) throw newChain();
  return target;
}
