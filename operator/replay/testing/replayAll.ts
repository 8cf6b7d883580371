import type { RecordedTransaction, ReplayedTransaction } from '../../../core/api/rest/replay.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import type { Rows } from '../../../core/replays/rows.ts';
import { createAddressBook } from '../addressBook.ts';
import { perform } from '../perform.ts';
import type { ReplayTarget } from '../target.ts';
import { createWaits } from '../waits.ts';

/** Replays on several targets, as one run that is not stored. The outcomes of each, in order. */
export async function replayAll(
  parts: readonly { transactions: readonly RecordedTransaction[]; target: ReplayTarget }[],
): Promise<ReplayedTransaction[][]> {
  const book = createAddressBook(parts[0]?.target.caller ?? '');
  for (const [network, { transactions }] of parts.entries()) {
    for (const [index, recorded] of transactions.entries()) book.survey(network, index, recorded);
  }
  const waits = createWaits(book);
  return Promise.all(
    parts.map(async ({ transactions, target }, network) => {
      const outcomes: ReplayedTransaction[] = [];
      await perform({
        network,
        book,
        waits,
        transactions: (async function* () {
          yield transactions;
        })(),
        open: async () => target,
        rows: rowsIn(outcomes),
        key: `replay:${network}`,
        isRepeated: false,
        isLost: () => false,
        isOutage: () => false,
        failed: () => undefined,
        clock: systemClock,
      });
      return outcomes;
    }),
  );
}

function rowsIn(outcomes: ReplayedTransaction[]): Rows {
  return {
    total: () => 0,
    unmatched: () => 0,
    add: (row) => void outcomes.push(row),
    commit: async () => undefined,
    finish: async () => undefined,
    async *read() {
      yield [];
    },
  };
}
