import type { EvmChain } from './chain.ts';
import * as registry from './registry.ts';

type RegisteredChain = (typeof registry)[keyof typeof registry];
export type EvmChainType = RegisteredChain['type'];

/** First digits of ids as text sort as the ids do: in this order the chains are shown. */
const prefixOf = ({ chainIdPrefix }: EvmChain) => String(chainIdPrefix);

/** Every registered chain, in the order of their generated ids. */
export const evmChains: readonly EvmChain<EvmChainType>[] = Object.values<EvmChain<EvmChainType>>(
  registry,
).sort((a, b) => (prefixOf(a) < prefixOf(b) ? -1 : 1));
