import type { EvmRpc } from './rpc.ts';

/**
 * anvil 1.7 sometimes queues a transaction as if a nonce before it were missing, when the transaction before it is
 * just being mined: it then stays queued forever, together with everything after it. This evicts an account's
 * transactions from the pool; sent again, they are mined. Resolves to whether the node did so: other nodes do not
 * support the method. Use it when the node has the account's next nonce but does not count it as pending.
 */
export async function evictStuckTransactions(rpc: EvmRpc, account: string): Promise<boolean> {
  return rpc.call('anvil_removePoolTransactions', [account]).then(
    () => true,
    () => false,
  );
}
