import type { EvmChain } from './chain.ts';
import * as registry from './registry.ts';

type RegisteredChain = (typeof registry)[keyof typeof registry];
export type EvmChainType = RegisteredChain['type'];

/** The text order of the prefixes equals the numeric order of the ids: chains are listed in this order. */
const prefixOf = ({ chainIdPrefix }: EvmChain) => String(chainIdPrefix);

/** Every registered chain, in the order of their generated ids. */
export const evmChains: readonly EvmChain<EvmChainType>[] = Object.values<EvmChain<EvmChainType>>(
  registry,
).sort((a, b) => (prefixOf(a) < prefixOf(b) ? -1 : 1));

/** What a chain of this type allows one transaction from Osaka on, if it is not Ethereum's limit (EIP-7825). */
export function osakaGasCapOf(type: string): bigint | undefined {
  const cap = evmChains.find((chain) => chain.type === type)?.osakaGasCap;
  return cap === undefined ? undefined : BigInt(cap);
}

/** Why networks of this chain cannot have the profile "real"; undefined if they can. */
export function noRealClient({ type, real }: EvmChain): string | undefined {
  if (real && 'client' in real) return undefined;
  const reason = real?.refusal ?? 'no client of its public chain is supported';
  return `"real" is not available for ${type}: ${reason}. Use "light", or omit it`;
}
