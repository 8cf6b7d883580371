import type { ChainType } from '../../api/resources/chainSpecs.ts';

interface DfnsNetwork {
  /** The names of Dfns under which wallets may be created, so that applications run as they are for a test network too. */
  names: readonly string[];
  symbol: string;
}

const ethereum = ['Ethereum', 'EthereumSepolia', 'EthereumHoodi', 'EthereumHolesky'] as const;

/** What Dfns calls the EVM chains; it has no name for Mantle and ZKSync. */
const networks: Partial<Record<ChainType, DfnsNetwork>> = {
  Arbitrum: { names: ['ArbitrumOne', 'ArbitrumSepolia'], symbol: 'ETH' },
  Optimism: { names: ['Optimism', 'OptimismSepolia'], symbol: 'ETH' },
  Base: { names: ['Base', 'BaseSepolia'], symbol: 'ETH' },
  BNB: { names: ['Bsc', 'BscTestnet'], symbol: 'BNB' },
  Avalanche: { names: ['AvalancheC', 'AvalancheCFuji'], symbol: 'AVAX' },
  Fantom: { names: ['FantomOpera', 'FantomTestnet'], symbol: 'FTM' },
  Mantle: { names: ethereum, symbol: 'MNT' },
  Polygon: { names: ['Polygon', 'PolygonAmoy'], symbol: 'POL' },
};

/** Of an EVM chain: what applications that use Dfns call it. */
export function dfnsNetworkOf(type: ChainType): DfnsNetwork {
  return networks[type] ?? { names: ethereum, symbol: 'ETH' };
}
