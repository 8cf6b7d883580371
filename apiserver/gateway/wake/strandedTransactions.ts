import { mineStrandedTransactions } from '../../../core/evm/pool/strandedTransactions.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { NodeCalls } from './nodeCalls.ts';

/** Mines transactions that callers send in bursts and that a node would otherwise leave unmined. */
export interface StrandedTransactions {
  /** Records that a request with `transactions` transactions was sent to the network's node. */
  noteSent(networkUid: string, transactions: number): void;
  close(): void;
}

export interface StrandedTransactionsDeps {
  clock: Clock;
  nodes: Pick<NodeCalls, 'ask'>;
}

/** A burst is over after this long without transactions. */
const quietMs = 1000;
/** A single transaction always fits into a block. */
const minTransactions = 2;

export function createStrandedTransactions({ clock, nodes }: StrandedTransactionsDeps): StrandedTransactions {
  const bursts = new Map<string, { transactions: number; cancel: () => void }>();
  /** Networks that are being mined; true if another burst ended meanwhile. */
  const mining = new Map<string, boolean>();
  let isClosed = false;

  async function mineUntilQuiet(uid: string): Promise<void> {
    if (mining.has(uid)) return void mining.set(uid, true);
    do {
      mining.set(uid, false);
      await mineAt(uid);
    } while (mining.get(uid) === true && !isClosed);
    mining.delete(uid);
  }

  function mineAt(uid: string): Promise<void> {
    const problem = 'cannot query the mined transactions of a node';
    return nodes.ask(uid, problem, (rpc) => mineStrandedTransactions(rpc, clock));
  }

  return {
    noteSent(uid, count) {
      if (count === 0 || isClosed) return;
      const before = bursts.get(uid);
      before?.cancel();
      const transactions = (before?.transactions ?? 0) + count;
      const cancel = clock.after(quietMs, () => {
        bursts.delete(uid);
        if (transactions >= minTransactions) void mineUntilQuiet(uid);
      });
      bursts.set(uid, { transactions, cancel });
    },
    close() {
      isClosed = true;
      for (const { cancel } of bursts.values()) cancel();
      bursts.clear();
    },
  };
}
