import type { EvmRpc } from './rpc.ts';

/**
 * anvil 1.7 sometimes takes a transaction for one that waits for another, when the one before it is just being mined:
 * then it stays in the queue for ever, and with it all after it. This takes an account's transactions out of the pool;
 * sent again, they are mined. Whether it did: other nodes do not know the method, and say so. To be used when the
 * account's next nonce is one that the node has, and does not count as pending.
 */
export async function evictStuckTransactions(rpc: EvmRpc, account: string): Promise<boolean> {
  return rpc.call('anvil_removePoolTransactions', [account]).then(
    () => true,
    () => false,
  );
}
