import { useLiveChain } from '../../context.tsx';
import { useNames } from '../useNames.ts';
import { readTokens, type TokenFacts, tokensOf } from './balances.ts';
import type { Transfer } from './transfers.ts';

const noFacts: ReadonlyMap<string, TokenFacts> = new Map();

interface Tokens {
  /** 0 until it is known. */
  decimalsOf: (token: string) => number;
  /** What it is called; undefined for what has no name. */
  nameOf: (token: string) => string | undefined;
}

/** What the tokens of these transfers say of themselves, or are known by. */
export function useTokens(transfers: readonly Transfer[]): Tokens {
  const tokens = tokensOf(transfers);
  const { data: facts = noFacts } = useLiveChain(['tokens', tokens], (reader) => readTokens(reader, tokens));
  const names = useNames(tokens);
  return {
    decimalsOf: (token) => facts.get(token)?.decimals ?? 0,
    nameOf: (token) => facts.get(token)?.symbol ?? names.get(token.toLowerCase())?.name,
  };
}
