import type { ChainClient } from '../../mcp/chain.ts';
import { currencyOf } from '../../sdk/src/currency.ts';
import type { ListNetworkAccountsAnswer, Network } from '../../sdk/src/generated/types.ts';
import type { Client } from '../lib/client.ts';
import { coinsText } from '../lib/units.ts';

type FundedAccount = ListNetworkAccountsAnswer['items'][number];

/** A funded account with what it has now, in the smallest unit; undefined while nobody can say. */
export interface AccountRow extends FundedAccount {
  balance?: string | undefined;
}

/** So many calls to a node go into one request. */
const callsPerRequest = 50;

/** The funded accounts of a network, with their balances if it runs and is of an EVM type. It is not woken. */
export async function readAccounts(
  client: ChainClient,
  network: Network,
  signal: AbortSignal,
): Promise<AccountRow[]> {
  const { items } = await client.networks.listAccounts(network.id, { signal });
  const isRunning = network.status?.state === 'Operational';
  if (!isRunning || !items.every(({ address }) => /^0x[0-9a-fA-F]{40}$/.test(address))) return items;
  const asked = items.slice(0, callsPerRequest);
  const reads = asked.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'latest'] }));
  // It may stop at any moment: the accounts are known all the same.
  const answers = await client.chain?.ask(network.id, reads, signal).catch(() => []);
  return items.map((account, index) => {
    const result = answers?.[index]?.result;
    return { ...account, balance: typeof result === 'string' ? BigInt(result).toString() : undefined };
  });
}

/** `10000 ETH`; empty while it is not known. */
export function balanceText({ balance }: AccountRow, { spec }: Network): string {
  if (balance === undefined) return '';
  const { symbol, decimals } = currencyOf(spec.chain.type);
  return `${coinsText(BigInt(balance), decimals)} ${symbol}`;
}

/** Where its key is, for people. */
export function originOf({ source, secret, index }: FundedAccount): string {
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
