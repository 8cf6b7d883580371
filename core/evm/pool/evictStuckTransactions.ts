import { z } from 'zod';
import { read } from '../answers.ts';
import type { EvmRpc, RpcOutcome } from '../rpc.ts';
import { type PoolTransaction, poolTransactionSchema, rawOf } from './poolTransaction.ts';

const accountsSchema = z.record(z.string(), z.record(z.string(), poolTransactionSchema));
const poolSchema = z.object({ pending: accountsSchema, queued: accountsSchema });

const contentCall = { method: 'txpool_content', params: [] };

/**
 * anvil 1.7 sometimes queues a transaction as if a nonce before it were missing, when the transaction before it is
 * just being mined: it then stays queued forever, together with everything after it. This evicts an account's
 * transactions from the pool and sends all of them again: not all need to be the service's, because the owner of the
 * key may use a wallet. Both are one request, so a process that dies meanwhile loses none of them. That request also
 * says what it removes, so what arrived since they were read is sent again after it, but for blob transactions, whose
 * blobs it does not tell. Resolves to whether the node did so: other nodes do not support the methods. Use it when the
 * node has the account's next nonce but does not count it as pending.
 */
export async function evictStuckTransactions(rpc: EvmRpc, account: string): Promise<boolean> {
  try {
    const before = ownOf(account, { result: await rpc.call(contentCall.method, contentCall.params) });
    const raws = await rpc.batch(
      before.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
    );
    const [content, removed] = await rpc.batch([
      contentCall,
      { method: 'anvil_removePoolTransactions', params: [account] },
      // One that was mined in between has no bytes in the pool.
      ...raws.flatMap((raw) => read(z.string().nullable(), raw) ?? []).map(sendCall),
    ]);
    const isDone = removed !== undefined && 'result' in removed;
    if (isDone) await sendSince(rpc, ownOf(account, content), new Set(before.map(({ hash }) => hash)));
    return isDone;
  } catch {
    return false;
  }
}

const attempts = 3;

/** Sends what was removed and not sent again. */
async function sendSince(
  rpc: EvmRpc,
  removed: readonly PoolTransaction[],
  sent: ReadonlySet<string>,
): Promise<void> {
  const since = removed.filter(({ hash }) => !sent.has(hash));
  const calls = since.flatMap((transaction) => rawOf(transaction) ?? []).map(sendCall);
  for (let attempt = 1; calls.length > 0; attempt++) {
    try {
      await rpc.batch(calls);
      return;
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

const sendCall = (raw: string) => ({ method: 'eth_sendRawTransaction', params: [raw] });

/** An account's transactions in the pool, in the order of their nonces. */
function ownOf(account: string, content: RpcOutcome | undefined): PoolTransaction[] {
  const { pending, queued } = read(poolSchema, content);
  const isOwn = ([address]: [string, unknown]) => address.toLowerCase() === account.toLowerCase();
  const own = [pending, queued].flatMap((part) => Object.entries(part).filter(isOwn));
  const byNonce = own.flatMap(([, transactions]) => Object.entries(transactions));
  return byNonce.sort(([a], [b]) => Number(a) - Number(b)).map(([, transaction]) => transaction);
}
