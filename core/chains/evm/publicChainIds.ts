/** Ids of public EVM networks (source: the registry at chainid.network). Wallets and replay protection rely on them. */
export const publicChainIds: ReadonlySet<string> = new Set([
  '1', // Ethereum
  '10', // OP Mainnet
  '25', // Cronos
  '56', // BNB Smart Chain
  '97', // BNB testnet
  '100', // Gnosis
  '137', // Polygon
  '250', // Fantom
  '300', // ZKsync Sepolia
  '324', // ZKsync Era
  '420', // OP Goerli
  '4002', // Fantom testnet
  '5000', // Mantle
  '5003', // Mantle Sepolia
  '8453', // Base
  '17000', // Holesky
  '42161', // Arbitrum One
  '42170', // Arbitrum Nova
  '43113', // Avalanche Fuji
  '43114', // Avalanche C-Chain
  '59144', // Linea
  '80002', // Polygon Amoy
  '84532', // Base Sepolia
  '421614', // Arbitrum Sepolia
  '534352', // Scroll
  '560048', // Hoodi
  '11155111', // Sepolia
  '11155420', // OP Sepolia
]);
