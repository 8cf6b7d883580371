import type { Client } from '../../../../sdk/src/client.ts';
import { currencyOf } from '../../../../sdk/src/currency.ts';
import type { ListNetworkAccountsAnswer, Network } from '../../../../sdk/src/generated/types.ts';
import { inUnits } from '../explorer/amounts.ts';
import { texts } from './texts.ts';

export type FundedAccount = ListNetworkAccountsAnswer['items'][number];

/** Where its key is. */
export function originOf({ source, secret, index }: FundedAccount): string {
  if (source === 'caller') return texts.caller;
  const place = source === 'developmentAccounts' ? texts.development : texts.secret(secret ?? '');
  return index === undefined ? place : texts.numbered(place, index);
}

/** So many calls to a node go into one request. */
const callsPerRequest = 50;

/** The balances of EVM accounts by address, with the symbol of the coin; none while the network does not run. */
export async function readBalances(
  client: Pick<Client, 'networks'>,
  { id, spec }: Network,
  accounts: readonly FundedAccount[],
): Promise<Map<string, string>> {
  const asked = accounts
    .filter(({ address }) => /^0x[0-9a-fA-F]{40}$/.test(address))
    .slice(0, callsPerRequest);
  if (asked.length === 0) return new Map();
  const reads = asked.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'latest'] }));
  const { answers } = await client.networks.readChain(id, { reads });
  const { symbol, decimals } = currencyOf(spec.chain.type);
  return new Map(
    asked.flatMap(({ address }, index) => {
      const result = answers[index]?.result;
      return typeof result === 'string' ? [[address, `${inUnits(BigInt(result), decimals)} ${symbol}`]] : [];
    }),
  );
}
