import type { clTypes, elTypes } from '../../api/resources/chainSpecs.ts';

/**
 * The extra arguments of a client that a network may set: how much it logs, caches, pools, serves and keeps. What is not
 * listed belongs to the network (keys, files, ports, peers, the chain) or has not been looked at.
 */
export interface AllowedArgs {
  /** Flags with a value, as `--flag=value` or `--flag value`. */
  values: readonly string[];
  /** Flags without a value; `=true` and `=false` are possible too. */
  switches: readonly string[];
}

const prefixed = (prefix: string, names: string): string[] =>
  names.split(' ').map((name) => `${prefix}${name}`);

const txpool = prefixed(
  'txpool.',
  'accountqueue accountslots globalqueue globalslots lifetime pricebump pricelimit',
);

/** By the name in elType. */
export const allowedExecutionArgs: Record<(typeof elTypes)[number], AllowedArgs> = {
  // https://geth.ethereum.org/docs/fundamentals/command-line-options
  geth: {
    values: [
      ...['verbosity', 'vmodule', 'cache', ...prefixed('cache.', 'blocklogs database gc snapshot trie')],
      ...txpool,
      ...prefixed('gpo.', 'blocks ignoreprice maxprice percentile'),
      ...prefixed('rpc.', 'batch-request-limit batch-response-max-size evmtimeout gascap txfeecap'),
      ...prefixed('miner.', 'extradata gasprice recommit'),
      'maxpeers',
    ],
    switches: ['cache.noprefetch', 'cache.preimages', 'txpool.nolocals'],
  },
  // https://reth.rs/cli/reth/node
  reth: {
    values: [
      ...['color', ...prefixed('log.stdout.', 'filter format')],
      ...prefixed('txpool.', 'basefee-max-count basefee-max-size max-account-slots pending-max-count'),
      ...prefixed('txpool.', 'pending-max-size pricebump queued-max-count queued-max-size'),
      ...prefixed('gpo.', 'blocks ignoreprice maxprice percentile'),
      ...prefixed('rpc.', 'gascap max-blocks-per-filter max-connections max-logs-per-response'),
      ...prefixed('rpc.', 'max-request-size max-response-size max-tracing-requests'),
      ...prefixed('builder.', 'deadline extradata interval max-tasks'),
      ...prefixed('engine.', 'memory-block-buffer-target persistence-threshold'),
      ...['max-inbound-peers', 'max-outbound-peers'],
    ],
    switches: ['v', 'vv', 'vvv', 'vvvv', 'vvvvv', 'quiet', 'txpool.nolocals'],
  },
  // https://docs.nethermind.io/fundamentals/configuration
  nethermind: {
    values: [
      ...[
        'log',
        'Init.MemoryHint',
        ...prefixed('TxPool.', 'MaxPendingTxsPerSender MinBaseFeeThreshold Size'),
      ],
      ...prefixed('JsonRpc.', 'GasCap MaxBatchSize MaxLogsPerResponse Timeout'),
      ...prefixed('Blocks.', 'ExtraData MinGasPrice'),
      'Network.MaxActivePeers',
    ],
    switches: [],
  },
  // https://docs.erigon.tech/fundamentals/configuring-erigon
  erigon: {
    values: [
      ...['verbosity', 'log.console.verbosity', 'batchSize', 'db.size.limit', ...txpool],
      ...prefixed('rpc.', 'batch.concurrency batch.limit evmtimeout gascap returndata.limit'),
      ...['gpo.blocks', 'gpo.percentile', 'miner.extradata', 'maxpeers'],
    ],
    switches: ['log.console.json', 'log.json', 'txpool.nolocals'],
  },
  // https://besu.hyperledger.org/public-networks/reference/cli/options
  besu: {
    values: [
      ...['logging', 'min-gas-price', 'max-peers', 'tx-pool', 'block-txs-selection-max-time'],
      ...prefixed('tx-pool-', 'layer-max-capacity limit-by-account-percentage max-future-by-sender'),
      ...prefixed('tx-pool-', 'max-prioritized max-size min-gas-price price-bump retention-hours'),
      ...prefixed('rpc-', 'gas-cap http-max-active-connections http-max-batch-size'),
      ...prefixed('rpc-', 'http-max-request-content-length max-logs-range max-trace-filter-range'),
    ],
    switches: ['color-enabled', 'revert-reason-enabled'],
  },
};

/** By the name in clType. */
export const allowedConsensusArgs: Record<(typeof clTypes)[number], AllowedArgs> = {
  // https://lighthouse-book.sigmaprime.io/help_bn.html
  lighthouse: {
    values: [
      ...['debug-level', 'log-format', 'graffiti', 'target-peers', 'epochs-per-migration', 'max-skip-slots'],
      ...['block-cache-size', 'state-cache-size', 'hierarchy-exponents', 'prepare-payload-lookahead'],
      ...['prune-blobs', 'prune-payloads'],
    ],
    switches: [
      ...['log-color', 'disable-log-timestamp', 'subscribe-all-subnets', 'import-all-attestations'],
      ...['reconstruct-historic-states', 'always-prepare-payload', 'disable-upnp', 'disable-quic'],
    ],
  },
  // https://docs.teku.consensys.io/reference/cli
  teku: {
    values: [
      ...['logging', 'validators-graffiti', 'data-storage-archive-frequency', 'rest-api-max-url-length'],
      'p2p-peer-upper-bound',
    ],
    switches: [
      ...['log-color-enabled', 'log-include-validator-duties-enabled', 'p2p-subscribe-all-subnets-enabled'],
      'data-storage-non-canonical-blocks-enabled',
    ],
  },
  // https://nimbus.guide/options.html
  nimbus: {
    values: [
      'log-level',
      'log-format',
      'graffiti',
      'max-peers',
      'num-threads',
      'light-client-data-import-mode',
    ],
    switches: ['subscribe-all-subnets', 'light-client-data-serve'],
  },
  // https://chainsafe.github.io/lodestar/run/beacon-management/beacon-cli
  lodestar: {
    values: [
      ...['logLevel', 'targetPeers', 'chain.archiveStateEpochFrequency', 'chain.maxSkipSlots'],
      'chain.nHistoricalStates',
    ],
    switches: ['subscribeAllSubnets', 'emitPayloadAttributes', 'serveHistoricalState', 'supernode'],
  },
  // grandine --help
  grandine: {
    values: [
      ...['archival-epoch-interval', 'graffiti', 'max-empty-slots', 'request-timeout', 'target-peers'],
      'unfinalized-states-in-memory',
    ],
    switches: ['prune-storage', 'subscribe-all-subnets'],
  },
  // https://docs.prylabs.network/docs/prysm-usage/parameters
  prysm: {
    values: [
      ...['verbosity', 'log-format', 'p2p-max-peers', 'slots-per-archive-point', 'max-goroutines'],
      ...['block-batch-limit', 'block-batch-limit-burst-factor', 'blob-batch-limit'],
      ...['blob-batch-limit-burst-factor', 'grpc-max-msg-size', 'rpc-max-page-size', 'pubsub-queue-size'],
      ...['engine-endpoint-timeout-seconds', 'local-block-value-boost'],
    ],
    switches: [
      'save-full-execution-payloads',
      'enable-historical-state-representation',
      'prepare-all-payloads',
    ],
  },
};
