import { sendAs } from '../../../../../core/abi/node.ts';
import { adminNode } from '../../../../../sdk/src/adminNode.ts';
import type { Client } from '../../../../../sdk/src/client.ts';
import type { TransactionItem } from '../../../../../sdk/src/generated/types.ts';
import { texts } from './texts.ts';

/** Sends a transaction as any account, without its private key; answers its hash. Throws with the reason when it cannot. */
export async function sendAsAccount(
  client: Pick<Client, 'networks' | 'request'>,
  networkId: string,
  { from, item: { to, data, value } }: { from: string; item: TransactionItem },
): Promise<string> {
  const node = await adminNode(client, networkId);
  if (!node) throw new Error(texts.noAdmin);
  return sendAs(node, { from, to: to ?? undefined, data: data ?? undefined, value: value ?? '0' });
}
