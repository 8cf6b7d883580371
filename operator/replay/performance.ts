import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import type { Outages } from '../../core/kube/outages.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Rows } from '../../core/replays/rows.ts';
import type { AddressBook } from './addressBook.ts';
import type { ReplayTarget } from './target.ts';
import type { Waits } from './waits.ts';

/** The replay on one network. */
export interface Performance {
  /** Position of the network among those of the replay. */
  network: number;
  /** Its transactions in order, some at a time. */
  transactions: AsyncIterable<readonly RecordedTransaction[]>;
  /** Wakes the network if it is stopped. */
  open(): Promise<ReplayTarget>;
  /** What shares the run of the replay with the other networks. */
  book: AddressBook;
  waits: Waits;
  /** Where the outcomes go. Those that it holds are not sent again. */
  rows: Rows;
  /** Names the run and the network: batches are sent once under keys that begin with it. */
  key: string;
  /** Whether an earlier attempt may have sent batches whose outcomes are not stored. */
  isRepeated: boolean;
  /** Whether this process must not send anything more: another one continues the run, or the work on a network has failed. */
  isLost(): boolean;
  /** Whether an error of the cluster passes by itself: nothing is stored because of it. */
  isOutage: Outages['isOutage'];
  /** Told why the work on this network ends early, before others learn that it has ended. */
  failed(error: unknown): void;
  clock: Clock;
}
