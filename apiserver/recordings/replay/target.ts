import type { NetworkResource } from '../../../core/api/network.ts';
import type { TransactionItem } from '../../../core/api/transaction.ts';
import type { EvmRpc } from '../../../core/transactions/rpc.ts';

/** A network as a replay uses it. */
export interface ReplayTarget {
  network: NetworkResource;
  rpc: EvmRpc;
  /** Address of the caller's default key. */
  caller: string;
  /**
   * Hashes of the items in their order, once nothing can be lost any more. The same intent sends nothing twice and
   * gives the same hashes. BadRequest when an item is wrong, Unavailable when it may work later.
   */
  send(items: readonly TransactionItem[], intent: string): Promise<string[]>;
}
