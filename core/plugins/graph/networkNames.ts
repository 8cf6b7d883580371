import type { ChainType } from '../../api/resources/chainSpecs.ts';

/** What The Graph calls each chain, so that a subgraph for the public chain is deployed as it is. */
const names: Partial<Record<ChainType, string>> = {
  Ethereum: 'mainnet',
  Arbitrum: 'arbitrum-one',
  Avalanche: 'avalanche',
  Base: 'base',
  BNB: 'bsc',
  Fantom: 'fantom',
  Mantle: 'mantle',
  Optimism: 'optimism',
  Polygon: 'matic',
  ZKSync: 'zksync-era',
};

/** The `network` of the data sources in a subgraph's manifest; graph-node serves one. */
export function graphNetworkOf(type: ChainType): string {
  return names[type] ?? type.toLowerCase();
}
