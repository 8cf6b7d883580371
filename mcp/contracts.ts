import type { Abi } from '../core/abi/calls.ts';
import { revertReason } from '../core/abi/reverts.ts';
import type { Client } from '../sdk/src/client.ts';
import { isSlipwayError } from '../sdk/src/error.ts';
import type { TransactionItem } from '../sdk/src/generated/types.ts';

/** What clients find out about contracts through the service. */

/** The ABI that the service knows for a contract: of one that is verified, or that it deployed. */
export async function knownAbi(client: Client, id: string, address: string): Promise<Abi | undefined> {
  try {
    const { contracts } = await client.networks.readChain(id, { contracts: [address.toLowerCase()] });
    return contracts.find((one) => one.address === address.toLowerCase())?.abi;
  } catch (error) {
    if (isSlipwayError(error, 'NotFound')) return undefined;
    throw error;
  }
}

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
  client: Client,
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
    const { answers } = await client.networks.readChain(id, { reads: [{ method: 'eth_call', params }] });
    const revert = answers[0]?.error?.data;
    if (revert === undefined) return undefined;
    return revertReason(revert, abi ?? (to ? await knownAbi(client, id, to) : undefined));
  } catch {
    // What the service said is shown then.
    return undefined;
  }
}

/** Why the service refuses a transaction without a gas limit, if that is because it reverts; undefined otherwise. */
export async function refusedReason(
  client: Client,
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
