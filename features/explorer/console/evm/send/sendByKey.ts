import type { Client } from '../../../../../sdk/src/client.ts';
import { isSlipwayError } from '../../../../../sdk/src/error.ts';
import type { TransactionItem } from '../../../../../sdk/src/generated/types.ts';

/**
 * Has the service sign a transaction with the caller's key and send it; answers its hash. Throws with the service's reason when
 * it accepted none.
 */
export async function sendByKey(
  client: Pick<Client, 'transactions'>,
  networkId: string,
  item: TransactionItem,
): Promise<string> {
  const body = { transactions_by_network: { [networkId]: [item] } };
  // The request is about one transaction: where in it something is wrong says nothing.
  const answer = await client.transactions.submit(body).catch((error: unknown) => {
    if (!isSlipwayError(error) || error.details.length === 0) throw error;
    throw new Error(inLine(error.details), { cause: error });
  });
  const [hash] = answer.tx_hashes_by_network[networkId] ?? [];
  if (hash !== undefined) return hash;
  const { details = [], message = 'The service accepted nothing.' } =
    answer.errors_by_network?.[networkId] ?? {};
  throw new Error(inLine(details) || message);
}

const inLine = (details: readonly { message: string }[]): string =>
  details.map(({ message }) => message).join('; ');
