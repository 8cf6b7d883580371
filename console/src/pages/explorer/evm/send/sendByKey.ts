import type { Client } from '../../../../../../sdk/src/client.ts';
import type { TransactionItem } from '../../../../../../sdk/src/generated/types.ts';

/**
 * Has the service sign a transaction with the caller's key and send it; answers its hash. Throws with the service's reason when
 * it accepted none.
 */
export async function sendByKey(
  client: Pick<Client, 'transactions'>,
  networkId: string,
  item: TransactionItem,
): Promise<string> {
  const answer = await client.transactions.submit({ transactions_by_network: { [networkId]: [item] } });
  const [hash] = answer.tx_hashes_by_network[networkId] ?? [];
  if (hash !== undefined) return hash;
  const refusal = answer.errors_by_network?.[networkId];
  const details = refusal?.details?.map(({ message }) => message).join('; ');
  throw new Error(details || refusal?.message || 'The service accepted nothing.');
}
