import type { ListNetworkAccountsAnswer, Network } from '../sdk/src/generated/types.ts';
import type { ChainClient } from './chain.ts';

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
