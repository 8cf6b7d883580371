import { Interface } from 'ethers';
import { textAt } from '../../fields.ts';
import type { Reader } from '../../reader.ts';
import type { TokenStandard } from './transfers.ts';

const probes = new Interface([
  'function supportsInterface(bytes4 id) view returns (bool)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
]);
/** ERC-165: what contracts of these standards say that they support. */
const ids = { 'ERC-721': '0x80ac58cd', 'ERC-1155': '0xd9b67a26' } as const;
const yes = `0x${'1'.padStart(64, '0')}`;

/** Which kind of token a contract is, as far as it answers like one; null for other contracts. */
export async function standardOf(reader: Reader, address: string): Promise<TokenStandard | null> {
  const call = (name: string, arg?: string) => {
    const data = probes.encodeFunctionData(name, arg === undefined ? [] : [arg]);
    return ['eth_call', { to: address, data }, 'latest'] as const;
  };
  const answers = await reader.ask([
    call('supportsInterface', ids['ERC-721']),
    call('supportsInterface', ids['ERC-1155']),
    call('totalSupply'),
    call('balanceOf', address),
  ]);
  const [nft, multi, supply, balance] = answers.map((answer) => textAt(answer, 'result') ?? '');
  if (nft === yes) return 'ERC-721';
  if (multi === yes) return 'ERC-1155';
  // ERC-20 has no such question: one number for each of two others has to do.
  return supply?.length === yes.length && balance?.length === yes.length ? 'ERC-20' : null;
}
