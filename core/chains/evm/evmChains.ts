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
