import type { Abi } from '../core/abi/calls.ts';
import { revertReason } from '../core/abi/reverts.ts';
import type { Client } from '../sdk/src/client.ts';
import { isSlipwayError } from '../sdk/src/error.ts';
import type { TransactionItem } from '../sdk/src/generated/types.ts';
import type { ChainClient } from './chain.ts';

/** Why transactions fail. */

/** A transaction of a network, and the ABI that the user gave for it. */
export interface Attempt {
  id: string;
  item: TransactionItem;
  abi?: Abi | undefined;
}

/**
 * Why a transaction reverts, or did in `block`, in the words of the contract's ABI: the same call is made again, because messages
 * of the service do not have all data. Undefined when it does not revert, or nobody can say why.
 */
export async function reasonOf(
  client: ChainClient,
  { id, item, abi }: Attempt,
  block?: number,
): Promise<string | undefined> {
  try {
    const { to, data, value, gas_limit: gas } = item;
    const from = item.from ?? (await callerOf(client, id));
    const call = {
      ...(from ? { from } : {}),
      ...(to ? { to } : {}),
      ...(data ? { data } : {}),
      ...(gas ? { gas: toQuantity(gas) } : {}),
      value: toQuantity(BigInt(value)),
    };
    const params = [call, block === undefined ? 'latest' : toQuantity(block - 1)];
    const [answer] = (await client.chain?.ask(id, [{ method: 'eth_call', params }])) ?? [];
    const revert = answer?.error?.data;
    if (revert === undefined) return undefined;
    return revertReason(revert, abi ?? (to ? await client.chain?.knownAbi(id, to) : undefined));
  } catch {
    // What the service said is shown then.
    return undefined;
  }
}

/** Why the service refuses a transaction without a gas limit, if that is because it reverts; undefined otherwise. */
export async function refusedReason(
  client: ChainClient,
  error: unknown,
  attempt: Attempt,
): Promise<string | undefined> {
  const isGas = isSlipwayError(error) && error.details.some(({ path }) => path.endsWith('.gas_limit'));
  return isGas && !attempt.item.gas_limit ? reasonOf(client, attempt) : undefined;
}

const toQuantity = (value: bigint | number) => `0x${value.toString(16)}`;

/** The account of the caller, which signs. */
async function callerOf(client: Client, id: string): Promise<string | undefined> {
  const { items } = await client.networks.listAccounts(id);
  return items.find(({ source }) => source === 'caller')?.address;
}
