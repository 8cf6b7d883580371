import type { elTypes } from '../../../api/resources/chainSpecs.ts';
import { besuGasPrices, nethermindMemory } from './flagRules.ts';
import {
  bareSwitch,
  blockText,
  dataSize,
  decimalNumber,
  gethModules,
  goDuration,
  largest,
  oneOf,
  rustLogFilter,
  secondsOrMillis,
  trueOrFalse,
  wholeNumber,
  withRule,
} from './flagTypes.ts';
import type { AllowedFlags } from './read.ts';

/**
 * The extra arguments that a network may give its clients: how much a client logs, caches, pools, serves and keeps. What is
 * not listed belongs to the network (keys, files, ports, peers, the chain) or has not been looked at. Flags and types are
 * those of the versions in the chart's values.
 */

const count = wholeNumber(0, largest.int32);
const atLeastOne = wholeNumber(1, largest.int32);
const percent = wholeNumber(0, 100);
const wei = wholeNumber(0, largest.uint64);
const gas = wholeNumber(0, largest.uint64);
/** Far more than the pods of the default resources have. */
const megabytes = wholeNumber(1, 65_536);
const cacheMegabytes = wholeNumber(0, 65_536);
/** Transactions, of one account or of all. */
const poolSize = wholeNumber(1, 1_000_000);
const poolCount = wholeNumber(0, 1_000_000);
const peers = wholeNumber(0, 1_000);

/** cmd/utils/flags.go and internal/debug/flags.go of 1.16.9 */
const geth: AllowedFlags = {
  '--verbosity': wholeNumber(0, 5),
  '--log.vmodule': gethModules,
  '--vmodule': gethModules,
  '--cache': cacheMegabytes,
  '--cache.blocklogs': wholeNumber(0, 65_536),
  '--cache.database': percent,
  '--cache.gc': percent,
  '--cache.snapshot': percent,
  '--cache.trie': percent,
  '--cache.noprefetch': trueOrFalse,
  '--cache.preimages': trueOrFalse,
  '--txpool.accountqueue': poolSize,
  '--txpool.accountslots': poolSize,
  '--txpool.globalqueue': poolSize,
  '--txpool.globalslots': poolSize,
  '--txpool.lifetime': goDuration,
  '--txpool.nolocals': trueOrFalse,
  '--txpool.pricebump': wholeNumber(1, 1_000),
  '--txpool.pricelimit': wei,
  '--gpo.blocks': wholeNumber(1, 1_024),
  '--gpo.ignoreprice': wholeNumber(0, largest.int64),
  '--gpo.maxprice': wholeNumber(1, largest.int64),
  '--gpo.percentile': percent,
  '--rpc.batch-request-limit': count,
  '--rpc.batch-response-max-size': count,
  '--rpc.evmtimeout': goDuration,
  '--rpc.gascap': gas,
  '--rpc.txfeecap': decimalNumber(1_000_000),
  '--miner.extradata': blockText,
  '--miner.gasprice': wei,
  '--miner.recommit': goDuration,
  '--maxpeers': peers,
};

/** https://reth.rs/cli/reth/node */
const reth: AllowedFlags = {
  '-v': bareSwitch,
  '-vv': bareSwitch,
  '-vvv': bareSwitch,
  '-vvvv': bareSwitch,
  '-vvvvv': bareSwitch,
  '--quiet': bareSwitch,
  '--color': oneOf('always', 'auto', 'never'),
  '--log.stdout.filter': rustLogFilter,
  '--log.stdout.format': oneOf('json', 'log-fmt', 'terminal'),
  '--txpool.basefee-max-count': poolCount,
  '--txpool.basefee-max-size': megabytes,
  '--txpool.max-account-slots': poolSize,
  '--txpool.nolocals': bareSwitch,
  '--txpool.pending-max-count': poolCount,
  '--txpool.pending-max-size': megabytes,
  '--txpool.pricebump': wholeNumber(0, 1_000),
  '--txpool.queued-max-count': poolCount,
  '--txpool.queued-max-size': megabytes,
  '--gpo.blocks': wholeNumber(1, 1_024),
  '--gpo.ignoreprice': wholeNumber(0, largest.int64),
  '--gpo.maxprice': wholeNumber(1, largest.int64),
  '--gpo.percentile': percent,
  '--rpc.gascap': wholeNumber(1, largest.uint64),
  '--rpc.max-blocks-per-filter': count,
  '--rpc.max-connections': wholeNumber(1, 65_535),
  '--rpc.max-logs-per-response': count,
  '--rpc.max-request-size': wholeNumber(1, 4_095),
  '--rpc.max-response-size': wholeNumber(1, 4_095),
  '--rpc.max-tracing-requests': wholeNumber(1, 1_024),
  '--builder.deadline': wholeNumber(1, 3_600),
  '--builder.extradata': blockText,
  '--builder.interval': secondsOrMillis,
  '--builder.max-tasks': wholeNumber(1, 1_024),
  '--engine.memory-block-buffer-target': wholeNumber(0, 1_024),
  '--engine.persistence-threshold': wholeNumber(0, 1_024),
  '--max-inbound-peers': peers,
  '--max-outbound-peers': peers,
};

/** https://docs.nethermind.io/fundamentals/configuration */
const nethermind: AllowedFlags = {
  '--log': oneOf('off', 'trace', 'debug', 'info', 'warn', 'error'),
  '--Init.MemoryHint': withRule(wholeNumber(536_870_912, 68_719_476_736n), nethermindMemory),
  '--Network.MaxActivePeers': withRule(wholeNumber(1, 250), nethermindMemory),
  '--TxPool.MaxPendingTxsPerSender': poolCount,
  '--TxPool.MinBaseFeeThreshold': percent,
  '--TxPool.Size': withRule(poolSize, nethermindMemory),
  '--JsonRpc.GasCap': wholeNumber(0, largest.int64),
  '--JsonRpc.MaxBatchSize': atLeastOne,
  '--JsonRpc.MaxLogsPerResponse': count,
  '--JsonRpc.Timeout': atLeastOne,
  '--Blocks.ExtraData': blockText,
  '--Blocks.MinGasPrice': wei,
};

const erigonLevel = oneOf('crit', 'error', 'warn', 'info', 'debug', 'trace', '0', '1', '2', '3', '4', '5');

/** `erigon --help` of 3.2.2 (https://docs.erigon.tech/fundamentals/configuring-erigon) */
const erigon: AllowedFlags = {
  '--verbosity': erigonLevel,
  '--log.console.verbosity': erigonLevel,
  '--log.console.json': trueOrFalse,
  '--log.json': trueOrFalse,
  '--batchSize': dataSize('1MB', '64GB'),
  // MDBX maps as much: with less it cannot store a genesis, and with pages of 4 KiB it takes less than 8 TB.
  '--db.size.limit': dataSize('1GB', '4TB'),
  '--txpool.accountslots': poolSize,
  '--txpool.globalqueue': poolSize,
  '--txpool.globalslots': poolSize,
  '--txpool.pricebump': wholeNumber(1, 1_000),
  '--txpool.pricelimit': wei,
  '--rpc.batch.concurrency': wholeNumber(1, 1_024),
  '--rpc.batch.limit': atLeastOne,
  '--rpc.evmtimeout': goDuration,
  '--rpc.gascap': gas,
  '--rpc.returndata.limit': atLeastOne,
  '--gpo.blocks': wholeNumber(1, 1_024),
  '--gpo.percentile': percent,
  '--miner.extradata': blockText,
  '--maxpeers': peers,
};

/**
 * https://besu.hyperledger.org/public-networks/reference/cli/options. With the options of another pool than the layered one, it
 * exits.
 */
const besu: AllowedFlags = {
  '--logging': oneOf('OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL'),
  '--color-enabled': trueOrFalse,
  '--revert-reason-enabled': trueOrFalse,
  '--min-gas-price': wei,
  '--max-peers': wholeNumber(1, 1_000),
  '--block-txs-selection-max-time': wholeNumber(1, 12_000),
  '--tx-pool-layer-max-capacity': wholeNumber(1, 68_719_476_736n),
  '--tx-pool-max-future-by-sender': poolSize,
  '--tx-pool-max-prioritized': poolSize,
  '--tx-pool-min-gas-price': withRule(wei, besuGasPrices),
  '--tx-pool-price-bump': percent,
  '--rpc-gas-cap': wholeNumber(0, largest.int64),
  '--rpc-http-max-active-connections': wholeNumber(1, 65_535),
  '--rpc-http-max-batch-size': atLeastOne,
  '--rpc-http-max-request-content-length': wholeNumber(1, largest.int64),
  '--rpc-max-logs-range': count,
  '--rpc-max-trace-filter-range': count,
};

/** By the name in elType. */
export const executionFlags: Record<(typeof elTypes)[number], AllowedFlags> = {
  geth,
  reth,
  nethermind,
  erigon,
  besu,
};
