export const genesisPath = '/etc/slipway/genesis.json';
export const ports = { rpc: 8545, ws: 8546 } as const;

const namespaces = 'eth,net,web3,debug,txpool';

/** How every client that derives from geth serves JSON-RPC, and that it has no peers. */
export const httpArgs: readonly string[] = [
  ...['--http', '--http.addr=0.0.0.0', `--http.port=${ports.rpc}`, '--http.vhosts=*', '--http.corsdomain=*'],
  `--http.api=${namespaces}`,
  ...['--ws', '--ws.addr=0.0.0.0', `--ws.port=${ports.ws}`, '--ws.origins=*', `--ws.api=${namespaces}`],
  ...[
    '--nodiscover',
    '--maxpeers=0',
    '--nat=none',
    '--port=0',
    '--ipcdisable',
    '--rpc.allow-unprotected-txs',
  ],
];

/** pebble keeps its last writes in the process; leveldb hands each to the kernel, so that a kill loses nothing. */
export const databaseArgs: readonly string[] = ['--db.engine=leveldb', '--state.scheme=hash'];

/** Every state is kept, and is written with its block. */
export const storageArgs: readonly string[] = [
  ...databaseArgs,
  ...['--syncmode=full', '--gcmode=archive'],
  // Megabytes; the default suits a public chain.
  '--cache=128',
];
