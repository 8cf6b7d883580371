import { Interface } from 'ethers';
import type { Answer, Reader } from '../../reader.ts';
import type { Transfer } from './transfers.ts';

const erc20 = new Interface([
  'function balanceOf(address account) view returns (uint256)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
]);

/** What a token calls itself. */
export interface TokenFacts {
  symbol: string;
  decimals: number;
}

export interface Balance {
  token: string;
  account: string;
  amount: bigint;
}

/** So many tokens and accounts are looked at. */
const mostTokens = 50;
export const mostHolders = 200;

/** Contracts whose transfers are amounts: those of NFTs have no balance that says much. */
export function fungibleOf(transfers: readonly Transfer[]): string[] {
  const tokens = transfers.filter(({ tokenId }) => tokenId === undefined).map(({ token }) => token);
  return [...new Set(tokens)].slice(0, mostTokens);
}

/** Symbols and decimals by the address of the token; none of those that have none. */
export async function readTokens(
  reader: Reader,
  tokens: readonly string[],
): Promise<Map<string, TokenFacts>> {
  const answers = await reader.ask(
    tokens.flatMap((token) => [callOf(token, 'symbol'), callOf(token, 'decimals')]),
  );
  return new Map(
    tokens.flatMap((token, index) => {
      const [symbol, decimals] = [
        resultOf('symbol', answers[2 * index]),
        resultOf('decimals', answers[2 * index + 1]),
      ];
      if (typeof symbol !== 'string' || typeof decimals !== 'bigint') return [];
      return [[token, { symbol: symbol.slice(0, 32), decimals: Number(decimals) }] as const];
    }),
  );
}

/** What accounts hold of tokens now, the most first, without those that hold nothing. */
export async function readBalances(
  reader: Reader,
  pairs: readonly Pick<Balance, 'token' | 'account'>[],
): Promise<Balance[]> {
  const answers = await reader.ask(pairs.map(({ token, account }) => callOf(token, 'balanceOf', account)));
  const held = pairs.flatMap((pair, index) => {
    const amount = resultOf('balanceOf', answers[index]);
    return typeof amount === 'bigint' && amount > 0n ? [{ ...pair, amount }] : [];
  });
  return held.sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1));
}

function callOf(to: string, name: string, ...args: string[]) {
  return ['eth_call', { to, data: erc20.encodeFunctionData(name, args) }, 'latest'] as const;
}

function resultOf(name: string, answer: Answer | undefined): unknown {
  try {
    return erc20.decodeFunctionResult(name, String(answer?.result))[0];
  } catch {
    return undefined;
  }
}
