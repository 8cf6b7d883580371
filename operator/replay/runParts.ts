import type { Outages } from '../../core/kube/outages.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { lost, type Rows } from '../../core/replays/rows.ts';
import { type AddressBook, createAddressBook } from './addressBook.ts';
import type { ContractRoom } from './contractRoom.ts';
import { newChain } from './nodes.ts';
import type { Part } from './parts.ts';
import { perform } from './perform.ts';
import type { Run } from './run.ts';
import type { ReplayTarget } from './target.ts';
import { createWaits } from './waits.ts';

/** What is left to do of a run. */
export interface Parts {
  run: Run;
  runId: string;
  parts: readonly Part[];
  open(part: Part): Promise<ReplayTarget>;
  /** Address that sends. */
  caller: string;
  /** Whether this process must not send anything more. */
  isLost(): boolean;
  /** Whether an error of the cluster passes by itself: nothing is stored because of it. */
  isOutage: Outages['isOutage'];
  clock: Clock;
  room: ContractRoom;
}

/** Does it, on all networks in parallel. Throws `roomIsFull` before anything is sent. */
export async function runParts(options: Parts): Promise<void> {
  const { run, runId, parts, caller, isOutage, clock, room } = options;
  const book = createAddressBook(caller, room);
  await survey(book, options);
  const waits = createWaits(book);
  const opened: { part: Part; rows: Rows }[] = [];
  for (const part of parts) opened.push({ part, rows: await run.rowsOf(part.recordedId) });
  const failure = createFirst();
  const works = opened.map(({ part, rows }, network) =>
    perform({
      network,
      book,
      waits,
      rows,
      isRepeated: run.hasBegun(part.recordedId),
      clock,
      transactions: part.read(),
      open: () => openOnSameChain(options, part),
      key: `replay:${runId}:${part.targetId}`,
      // What waits for contracts of a network that failed must not be sent without them.
      isLost: () => options.isLost() || failure.isThere(),
      isOutage,
      failed: failure.add,
    }),
  );
  // One failure must not leave the others at work when the run is released.
  await Promise.allSettled(works);
  failure.rethrow();
}

/** The first error of several works: the others end because of it. */
function createFirst() {
  let first: { error: unknown } | undefined;
  return {
    isThere: () => first !== undefined,
    add(error: unknown): void {
      first ??= { error };
    },
    rethrow(): void {
      if (first) throw first.error;
    },
  };
}

/** Finds out where contracts are created, before anything is sent: networks refer to each other in any order. */
async function survey(book: AddressBook, { parts, isLost }: Parts): Promise<void> {
  for (const [network, part] of parts.entries()) {
    let index = 0;
    for await (const transactions of part.read()) {
      if (isLost()) throw lost();
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
