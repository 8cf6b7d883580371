import { createEvmRpc, createRpcAgent } from '../../../core/evm/rpc.ts';
import { mineStrandedTransactions } from '../../../core/evm/strandedTransactions.ts';
import { authorityOf } from '../../../core/lib/authority.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { UpstreamLookup } from '../deps.ts';

/** Looks after what callers send to nodes in bursts: a node may forget a part of it. */
export interface StrandedTransactions {
  /** A request with so many transactions went to a network's node. */
  noteSent(networkUid: string, transactions: number): void;
  close(): Promise<void>;
}

export interface StrandedTransactionsDeps {
  clock: Clock;
  upstreams: Pick<UpstreamLookup, 'find'>;
  warn(networkUid: string, message: string, reason: string): void;
}

/** A burst is over when nothing came for so long. */
const quietMs = 1000;
/** A single transaction fits into a block. */
const fewest = 2;

export function createStrandedTransactions({
  clock,
  upstreams,
  warn,
}: StrandedTransactionsDeps): StrandedTransactions {
  const agent = createRpcAgent();
  const bursts = new Map<string, { transactions: number; cancel: () => void }>();
  /** Networks that are looked after; true when another burst ended meanwhile. */
  const underWay = new Map<string, boolean>();
  let isClosed = false;

  async function lookAfter(uid: string): Promise<void> {
    if (underWay.has(uid)) return void underWay.set(uid, true);
    do {
      underWay.set(uid, false);
      await mineAt(uid);
    } while (underWay.get(uid) === true && !isClosed);
    underWay.delete(uid);
  }

  async function mineAt(uid: string): Promise<void> {
    const place = upstreams.find(uid, 'rpc');
    if (!place) return;
    await mineStrandedTransactions(
      createEvmRpc({ url: `http://${authorityOf(place)}`, agent, clock }),
      clock,
    ).catch((error: unknown) => warn(uid, 'a node could not be asked what it has mined', messageOf(error)));
  }

  return {
    noteSent(uid, count) {
      if (count === 0 || isClosed) return;
      const before = bursts.get(uid);
      before?.cancel();
      const transactions = (before?.transactions ?? 0) + count;
      const cancel = clock.after(quietMs, () => {
        bursts.delete(uid);
        if (transactions >= fewest) void lookAfter(uid);
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
