import { evmChains } from './evmChains.ts';

/** Public networks without a chain type of their own. */
const others = [
  25, // Cronos
  100, // Gnosis
  59_144, // Linea
  534_352, // Scroll
];

/** Ids of public EVM networks (source: the registry at chainid.network). Wallets and replay protection rely on them. */
export const publicChainIds: ReadonlySet<string> = new Set(
  [
    ...evmChains.flatMap(({ publicChainId, relatedChainIds }) => [publicChainId, ...relatedChainIds]),
    ...others,
  ].map(String),
);
