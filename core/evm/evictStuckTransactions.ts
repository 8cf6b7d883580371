import { z } from 'zod';
import { read } from './answers.ts';
import type { EvmRpc } from './rpc.ts';

const accountsSchema = z.record(z.string(), z.record(z.string(), z.object({ hash: z.string() })));
const poolSchema = z.object({ pending: accountsSchema, queued: accountsSchema });

/**
 * anvil 1.7 sometimes queues a transaction as if a nonce before it were missing, when the transaction before it is
 * just being mined: it then stays queued forever, together with everything after it. This evicts an account's
 * transactions from the pool and sends all of them again: not all need to be the service's, because the owner of the
 * key may use a wallet. Both are one request, so a process that dies meanwhile loses none of them. Resolves to whether the node did so: other nodes do not support the methods. Use it when the
 * node has the account's next nonce but does not count it as pending.
 */
export async function evictStuckTransactions(rpc: EvmRpc, account: string): Promise<boolean> {
  try {
    const raws = await rawsInPool(rpc, account);
    const sends = raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] }));
    const [removed] = await rpc.batch([
      { method: 'anvil_removePoolTransactions', params: [account] },
      ...sends,
    ]);
    return removed !== undefined && 'result' in removed;
  } catch {
    return false;
  }
}

/** The signed bytes of an account's transactions in the pool, in the order of their nonces. */
async function rawsInPool(rpc: EvmRpc, account: string): Promise<string[]> {
  const { pending, queued } = read(poolSchema, { result: await rpc.call('txpool_content', []) });
  const isOwn = ([address]: [string, unknown]) => address.toLowerCase() === account.toLowerCase();
  const own = [pending, queued].flatMap((part) => Object.entries(part).filter(isOwn));
  const byNonce = own.flatMap(([, transactions]) => Object.entries(transactions));
  const hashes = byNonce.sort(([a], [b]) => Number(a) - Number(b)).map(([, { hash }]) => hash);
  const outcomes = await rpc.batch(
    hashes.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
  );
  // One that was mined in between has no bytes in the pool.
  return outcomes.flatMap((outcome) => read(z.string().nullable(), outcome) ?? []);
}
