import type { AccountRow } from '../../mcp/accounts.ts';
import { currencyOf } from '../../sdk/src/currency.ts';
import type { Network } from '../../sdk/src/generated/types.ts';
import type { Client } from '../lib/client.ts';
import { coinsText } from '../lib/units.ts';

/** `10000 ETH`; empty while it is not known. */
export function balanceText({ balance }: AccountRow, { spec }: Network): string {
  if (balance === undefined) return '';
  const { symbol, decimals } = currencyOf(spec.chain.type);
  return `${coinsText(BigInt(balance), decimals)} ${symbol}`;
}

/** Where its key is, for people. */
export function originOf({ source, secret, index }: AccountRow): string {
  const place = index === undefined ? '' : ` #${index}`;
  if (source === 'developmentAccounts') return `test … junk${place}`;
  if (source === 'caller') return 'your account';
  return `secret ${secret}${place}`;
}

/** The private key with which scripts of the user can sign; undefined if they may read none. */
export async function usableKey(
  client: Client,
  { id }: Network,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { items } = await client.networks.listAccounts(id, { signal }).catch(() => ({ items: [] }));
  const account = items.find(({ hasKey }) => hasKey);
  if (!account) return undefined;
  return (await client.networks.getAccountKey({ id, address: account.address }, { signal })).privateKey;
}
