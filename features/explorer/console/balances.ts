import type { Balances } from '../../../console/src/feature.ts';
import type { Client } from '../../../sdk/src/client.ts';
import { currencyOf } from '../../../sdk/src/currency.ts';
import type { Network } from '../../../sdk/src/generated/types.ts';
import { inUnits } from './amounts.ts';

/** So many calls to a node go into one request. */
const callsPerRequest = 50;

/** The balances of EVM accounts by address, with the symbol of the coin. The network runs. */
export async function readBalances(
  client: Pick<Client, 'networks'>,
  { id, spec }: Network,
  addresses: readonly string[],
): Promise<Balances> {
  const asked = addresses.filter((address) => /^0x[0-9a-fA-F]{40}$/.test(address)).slice(0, callsPerRequest);
  if (asked.length === 0) return new Map();
  const reads = asked.map((address) => ({ method: 'eth_getBalance', params: [address, 'latest'] }));
  const { answers } = await client.networks.readChain(id, { reads });
  const { symbol, decimals } = currencyOf(spec.chain.type);
  return new Map(
    asked.flatMap((address, index) => {
      const result = answers[index]?.result;
      return typeof result === 'string' ? [[address, `${inUnits(BigInt(result), decimals)} ${symbol}`]] : [];
    }),
  );
}
