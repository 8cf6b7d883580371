import { createTally } from '../../core/lib/work/tally.ts';

/** Room for the contracts of one run. */
export interface ContractRoom {
  /** Throws `roomIsFull`. */
  add(): void;
  /** Gives all of it back. */
  close(): void;
}

/** Opens room for a run of an account. */
export type OpenContractRoom = (account: string) => ContractRoom;

/** Contracts of all runs in memory, about 300 bytes each. */
const maxTotal = 600_000;

/** The run has to wait until others are done. */
export const roomIsFull = new Error('other replays have too many contracts in memory');

/**
 * Bounds the contracts that this process remembers, because a run is repeated until it is done, also if the process ran out of
 * memory. An account may have as many as it leaves free, so none can take all.
 */
export function createContractRoom(most = maxTotal): OpenContractRoom {
  const known = createTally();
  return (account) => {
    let count = 0;
    return {
      add() {
        if (known.of(account) + known.total() + 2 > most) throw roomIsFull;
        known.add(account, 1);
        count += 1;
      },
      close() {
        known.add(account, -count);
        count = 0;
      },
    };
  };
}
