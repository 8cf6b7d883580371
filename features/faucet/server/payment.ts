import { z } from 'zod';
import type { TransactionItem } from '../../../core/api/rest/transaction.ts';
import { quantitySchema } from '../../../core/evm/answers.ts';
import { revertReason } from '../../../core/evm/revertReason.ts';
import { type EvmRpc, rpcErrorOf } from '../../../core/evm/rpc.ts';
import { AppError } from '../../../core/lib/errors.ts';

/** A uint8. */
const decimalsSchema = quantitySchema.transform(Number).pipe(z.int().max(255));

/** What the faucet gives, from whom and to whom; a token by its contract and symbol. */
export interface Gift {
  from: string;
  to: string;
  amount: bigint;
  token?: { address: string; symbol: string };
}

/** ERC-20, and the minting function of all standards of the service: `transfer` and `mint`, each of (address, uint256). */
const functions = [
  ['transfer', '0xa9059cbb'],
  ['mint', '0x40c10f19'],
] as const;

/**
 * The transaction that gives it. A token is transferred if the sender holds enough, or else minted if the sender may.
 * Throws Conflict with both reasons if neither is possible now.
 */
export async function paymentOf(rpc: Pick<EvmRpc, 'call'>, gift: Gift): Promise<TransactionItem> {
  const { from, to, amount, token } = gift;
  if (!token) return { from, to, value: String(amount), data: '0x' };
  const refusals: string[] = [];
  for (const [name, selector] of functions) {
    const data = `${selector}${word(to.slice(2).toLowerCase())}${word(amount.toString(16))}`;
    const item: TransactionItem = { from, to: token.address, value: '0', data };
    const refusal = await refusalOf(rpc, { from, to: token.address, data });
    if (refusal === undefined) return item;
    refusals.push(`${name} ${refusal}`);
  }
  const message = `your account ${from} can give ${amount} of ${token.symbol} neither from what it holds nor by minting: ${refusals.join('; ')}`;
  throw new AppError('Conflict', message);
}

/** What the contract of a token says. Throws Conflict when it says nothing. */
export async function decimalsAt(rpc: Pick<EvmRpc, 'call'>, address: string): Promise<number> {
  const call = { to: address, data: '0x313ce567' };
  const answer = await rpc.call('eth_call', [call, 'latest']).catch((error: unknown) => {
    if (!rpcErrorOf(error)) throw error;
  });
  const decimals = decimalsSchema.safeParse(answer);
  if (decimals.success) return decimals.data;
  throw new AppError('Conflict', `the token cannot be given: the contract at ${address} has no decimals()`);
}

/** A value of the contract ABI: 32 bytes, padded on the left. */
function word(hex: string): string {
  return hex.padStart(64, '0');
}

/** Why the chain would not execute the call now; undefined if it would. */
async function refusalOf(rpc: Pick<EvmRpc, 'call'>, call: object): Promise<string | undefined> {
  try {
    await rpc.call('eth_call', [call, 'latest']);
    return undefined;
  } catch (error) {
    const cause = rpcErrorOf(error);
    if (!cause) throw error;
    return revertReason(cause);
  }
}
