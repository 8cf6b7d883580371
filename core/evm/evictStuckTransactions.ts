import { Transaction } from 'ethers';
import { z } from 'zod';
import { compact } from '../lib/compact.ts';
import type { EvmRpc } from './rpc.ts';

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/);
const transactionSchema = z.object({
  ...{ hash: hex, nonce: hex, gas: hex, value: hex, input: hex, r: hex, s: hex, type: hex.default('0x0') },
  ...{ to: hex.nullish(), v: hex.optional(), yParity: hex.optional(), chainId: hex.optional() },
  ...{ gasPrice: hex.optional(), maxFeePerGas: hex.optional(), maxPriorityFeePerGas: hex.optional() },
  accessList: z.array(z.object({ address: hex, storageKeys: z.array(hex) })).optional(),
});
type PoolTransaction = z.infer<typeof transactionSchema>;
const byAccountSchema = z.record(z.string(), z.record(z.string(), transactionSchema));
const poolSchema = z.object({ pending: byAccountSchema, queued: byAccountSchema });

interface Account {
  address: string;
  /** Hashes of its transactions that the caller sends again. */
  known: readonly string[];
}

/**
 * anvil 1.7 sometimes queues a transaction as if a nonce before it were missing, when the transaction before it is
 * just being mined: it then stays queued forever, together with everything after it. This evicts an account's
 * transactions from the pool; sent again, they are mined. anvil evicts all of them or none, so those that the account
 * sent elsewhere are put back here; if one cannot be, nothing is evicted. Resolves to whether the node did so: other
 * nodes do not support the method. Use it when the node has the account's next nonce but does not count it as pending.
 */
export async function evictStuckTransactions(rpc: EvmRpc, { address, known }: Account): Promise<boolean> {
  try {
    const foreign = (await poolOf(rpc, address)).filter(({ hash }) => !known.includes(hash));
    const raws = foreign.map(rawOf);
    if (raws.includes(undefined)) return false;
    await rpc.call('anvil_removePoolTransactions', [address]);
    await rpc.batch(raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })));
    return true;
  } catch {
    return false;
  }
}

/** The transactions of an account in a node's pool, by nonce. */
async function poolOf(rpc: EvmRpc, address: string): Promise<PoolTransaction[]> {
  const { pending, queued } = poolSchema.parse(await rpc.call('txpool_content', []));
  return [pending, queued]
    .flatMap((pool) => Object.entries(pool))
    .filter(([account]) => account.toLowerCase() === address.toLowerCase())
    .flatMap(([, own]) => Object.values(own))
    .sort((one, other) => Number(one.nonce) - Number(other.nonce));
}

/** The signed bytes of a transaction from its JSON form; undefined for a type that is not known here. */
function rawOf({ hash, nonce, gas, value, input, ...rest }: PoolTransaction): string | undefined {
  const { type, to, v, yParity, r, s, chainId, accessList, gasPrice, maxFeePerGas, maxPriorityFeePerGas } =
    rest;
  const isDynamic = type === '0x2';
  try {
    const rebuilt = Transaction.from({
      ...{ type: Number(type), nonce: Number(nonce), gasLimit: gas, value, data: input, to: to ?? null },
      ...(isDynamic ? compact({ maxFeePerGas, maxPriorityFeePerGas }) : compact({ gasPrice })),
      ...(type === '0x0' ? {} : compact({ accessList })),
      ...compact({ chainId }),
      signature: { r, s, v: yParity ?? v ?? '0x0' },
    });
    return rebuilt.hash === hash ? rebuilt.serialized : undefined;
  } catch {
    return undefined;
  }
}
