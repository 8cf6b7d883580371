import type { NamedContract } from '../../mcp/chain.ts';
import type { Network } from '../../sdk/src/generated/types.ts';
import type { Context } from '../lib/context.ts';
import { findListed } from '../lib/resolve.ts';
import { addressOf, namedAddress } from './address.ts';

/** The address of a contract: as it is given, by its name in the address book, or by its own on the current chain of a network. */
export async function contractOf(context: Context, { id, name }: Network, given: string): Promise<string> {
  if (given === '' || given.startsWith('0x')) return addressOf(context, given);
  const named = await namedAddress(context, given);
  if (named !== undefined) return named;
  const { chain } = await context.client();
  if (!chain) return addressOf(context, given);
  const { address } = await findListed(chain.contractsNamed(id, given.slice(0, 256)), given, {
    kind: 'contract',
    see: `slipway contract list ${name}`,
    idOf: (contract) => contract.address,
    isNamed: (contract) => isCalled(contract, given),
  });
  return address;
}

/** A compiler calls it src/Counter.sol:Counter, and people Counter, or the token that it is. */
function isCalled({ name, token }: NamedContract, given: string): boolean {
  if (name === given || name.endsWith(`:${given}`)) return true;
  return token?.role === 'token' && token.symbol === given;
}
