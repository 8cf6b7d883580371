import { createEvmRpc, createRpcAgent } from '../../../core/evm/rpc.ts';
import { mineStrandedTransactions } from '../../../core/evm/strandedTransactions.ts';
import { authorityOf } from '../../../core/lib/authority.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { UpstreamLookup } from '../deps.ts';

/** Mines transactions that callers send in bursts and that a node would otherwise leave unmined. */
export interface StrandedTransactions {
  /** Records that a request with `transactions` transactions was sent to the network's node. */
  noteSent(networkUid: string, transactions: number): void;
  close(): Promise<void>;
}

export interface StrandedTransactionsDeps {
  clock: Clock;
  upstreams: Pick<UpstreamLookup, 'find'>;
  warn(networkUid: string, message: string, reason: string): void;
}

/** A burst is over after this long without transactions. */
const quietMs = 1000;
/** A single transaction always fits into a block. */
const minTransactions = 2;

export function createStrandedTransactions({
  clock,
  upstreams,
  warn,
}: StrandedTransactionsDeps): StrandedTransactions {
  const agent = createRpcAgent();
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

  async function mineAt(uid: string): Promise<void> {
    const place = upstreams.find(uid, 'rpc');
    if (!place) return;
    await mineStrandedTransactions(
      createEvmRpc({ url: `http://${authorityOf(place)}`, agent, clock }),
      clock,
    ).catch((error: unknown) => warn(uid, 'cannot query the mined transactions of a node', messageOf(error)));
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
    async close() {
      isClosed = true;
      for (const { cancel } of bursts.values()) cancel();
      bursts.clear();
      await agent.destroy();
    },
  };
}
