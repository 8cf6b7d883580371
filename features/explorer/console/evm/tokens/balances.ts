import { Interface } from 'ethers';
import { decodeValues } from '../../../../../core/abi/decode.ts';
import type { Answer, Reader } from '../../reader.ts';
import { visible } from '../../visible.ts';
import type { Subject, Transfer } from './transfers.ts';

const token = new Interface([
  'function balanceOf(address account) view returns (uint256)',
  'function balanceOf(address account, uint256 id) view returns (uint256)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
]);
const balanceOf = 'balanceOf(address)';
const balanceOfKind = 'balanceOf(address,uint256)';

/** What a token calls itself. */
export interface TokenFacts {
  symbol: string | undefined;
  /** 0 where it has none, as NFTs do. */
  decimals: number;
}

/** What an account can have of a token: an amount, a number of NFTs, or an amount of one kind of ERC-1155 tokens. */
export interface Position extends Pick<Transfer, 'token' | 'standard' | 'tokenId'> {
  account: string;
}

export interface Balance extends Position {
  amount: bigint;
}

/** So many tokens and positions are looked at. */
const mostTokens = 50;
export const mostPositions = 200;

const zeroAddress = `0x${'0'.repeat(40)}`;

/**
 * What an account may have, or what a token's holders may have, as far as the transfers tell of them. Holders who by them have most come
 * first.
 */
export function positionsOf(subject: Subject, transfers: readonly Transfer[]): Position[] {
  const own = 'account' in subject ? subject.account.toLowerCase() : undefined;
  const found = new Map<string, { position: Position; got: bigint }>();
  for (const transfer of transfers) {
    const { token, from, to, amount } = transfer;
    for (const [account, change] of [[from, -amount] as const, [to, amount] as const]) {
      if (account === zeroAddress || (own !== undefined && account !== own)) continue;
      const position = positionOf(transfer, account);
      const key = `${token}/${account}/${position.tokenId}`;
      found.set(key, { position, got: (found.get(key)?.got ?? 0n) + change });
    }
  }
  const all = [...found.values()];
  if (own === undefined) all.sort((a, b) => descending(a.got, b.got));
  return all.map(({ position }) => position);
}

function positionOf({ token, standard, tokenId }: Transfer, account: string): Position {
  const position = { token, account, standard };
  return standard === 'ERC-1155' && tokenId !== undefined ? { ...position, tokenId } : position;
}

const descending = (a: bigint, b: bigint) => (a === b ? 0 : a > b ? -1 : 1);

/** The ids of NFTs by `token/account`. Transfers are the newest first, so the first one of an NFT says whose it is. */
export function nftsOf(transfers: readonly Transfer[]): Map<string, bigint[]> {
  const known = new Set<string>();
  const found = new Map<string, bigint[]>();
  for (const { token, standard, tokenId, to } of transfers) {
    const nft = `${token}/${tokenId}`;
    if (standard !== 'ERC-721' || tokenId === undefined || known.has(nft)) continue;
    known.add(nft);
    const holder = `${token}/${to}`;
    found.set(holder, [...(found.get(holder) ?? []), tokenId]);
  }
  return found;
}

/** The tokens of these transfers, each once. */
export function tokensOf(transfers: readonly Transfer[]): string[] {
  return [...new Set(transfers.map(({ token }) => token))].slice(0, mostTokens);
}

/** What tokens say of themselves, by their addresses. */
export async function readTokens(
  reader: Reader,
  tokens: readonly string[],
): Promise<Map<string, TokenFacts>> {
  const answers = await reader.ask(
    tokens.flatMap((address) => [callOf(address, 'symbol'), callOf(address, 'decimals')]),
  );
  return new Map(
    tokens.map((address, index) => {
      const symbol = resultOf('symbol', answers[2 * index]);
      const decimals = resultOf('decimals', answers[2 * index + 1]);
      return [
        address,
        {
          symbol: typeof symbol === 'string' ? visible(symbol.slice(0, 32)) : undefined,
          decimals: typeof decimals === 'bigint' ? Number(decimals) : 0,
        },
      ] as const;
    }),
  );
}

/** What there is in these positions now, the most first, without those that are empty. */
export async function readBalances(reader: Reader, positions: readonly Position[]): Promise<Balance[]> {
  const answers = await reader.ask(
    positions.map(({ token, account, tokenId }) =>
      tokenId === undefined
        ? callOf(token, balanceOf, account)
        : callOf(token, balanceOfKind, account, tokenId),
    ),
  );
  const held = positions.flatMap((position, index) => {
    const amount = resultOf(balanceOf, answers[index]);
    return typeof amount === 'bigint' && amount > 0n ? [{ ...position, amount }] : [];
  });
  return held.sort((a, b) => descending(a.amount, b.amount));
}

function callOf(to: string, name: string, ...args: unknown[]) {
  return ['eth_call', { to, data: token.encodeFunctionData(name, args) }, 'latest'] as const;
}

function resultOf(name: string, answer: Answer | undefined): unknown {
  return decodeValues(token.getFunction(name)?.outputs ?? [], String(answer?.result))?.[0];
}
