import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { createTurns } from '../../http/limits/turns.ts';

/** To read a body of this length takes about a millisecond. */
const shortBytes = 64 * 1024;
/** With one key of a network. */
const maxWaiting = 512;

/** Reads the calls in a body: at once if it is short. Rejects with TooManyRequests if too many long ones wait. */
export type ReadInTurn = <T>(caller: BodyOf, read: () => T) => T | Promise<T>;

interface BodyOf {
  networkUid: string;
  workspace: string;
  key: string;
  bytes: number;
}

interface Options {
  budgets: Pick<BudgetMetrics, 'refused'>;
  shareOf(workspace: string): string;
}

/**
 * One long body is read in an iteration of the event loop, so that all else goes on between them, and accounts take turns by the bytes that they
 * send.
 */
export function createReadInTurn({ budgets, shareOf }: Options): ReadInTurn {
  const turns = createTurns({ atOnce: 1, maxWaitingPerCaller: maxWaiting, budgets, refusal });
  return ({ networkUid, workspace, key, bytes }, read) => {
    if (bytes <= shortBytes) return read();
    const work = { group: shareOf(workspace), price: bytes / shortBytes };
    return turns.begin(`${networkUid}/${key}`, work).then((end) => {
      try {
        return read();
      } finally {
        setImmediate(end);
      }
    });
  };
}

const refusal = (waiting: number) =>
  `${waiting} calls with the key in the URL have long parameters and wait for their turn: wait for their answers before you send more`;
