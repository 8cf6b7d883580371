import type { Placement } from './chain.ts';
import { shortString, word } from './storage.ts';

/** The address on almost every chain (github.com/mds1/multicall3). */
export const multicall3: Placement = {
  address: '0xcA11bde05977b3631167028862bE2a173976CA11',
  contract: 'Multicall3',
  purpose: 'batches many calls into one, at its usual address',
};

interface TokenFacts {
  name: string;
  symbol: string;
}

/** The chain's currency as a token, at the same address as on the public chain. */
export function wrappedNative(address: string, { name, symbol }: TokenFacts): Placement {
  return {
    address,
    contract: 'WrappedNative',
    title: symbol,
    purpose: `wrapped ${symbol === 'WETH' ? 'ether' : symbol.slice(1)}`,
    storage: {
      [word(0n)]: shortString(name),
      [word(1n)]: shortString(symbol),
      [word(2n)]: word(18n),
    },
  };
}

export function wrappedEther(address: string): Placement {
  return wrappedNative(address, { name: 'Wrapped Ether', symbol: 'WETH' });
}
