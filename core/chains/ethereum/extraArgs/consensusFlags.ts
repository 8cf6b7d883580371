import type { clTypes } from '../../../api/resources/chainSpecs.ts';
import {
  ascendingNumbers,
  bareSwitch,
  blockText,
  largest,
  oneOf,
  trueOrFalse,
  wholeNumber,
} from './flagTypes.ts';
import type { AllowedFlags } from './read.ts';

/** As of execution clients. The beacon node gets them: flags of the validator client are not listed. */

const count = wholeNumber(0, largest.int32);
const atLeastOne = wholeNumber(1, largest.int32);
const peers = wholeNumber(1, 1_000);
const yesOrNo = oneOf('true', 'false');

/** https://lighthouse-book.sigmaprime.io/help_bn.html */
const lighthouse: AllowedFlags = {
  '--debug-level': oneOf('info', 'debug', 'trace', 'warn', 'error'),
  '--disable-log-timestamp': bareSwitch,
  '--log-color': trueOrFalse,
  '--log-format': oneOf('JSON'),
  '--graffiti': blockText,
  '--target-peers': peers,
  // It allocates what an entry needs at once.
  '--block-cache-size': wholeNumber(1, 4_096),
  '--state-cache-size': wholeNumber(4, 1_024),
  '--epochs-per-migration': wholeNumber(1, 8_192),
  '--hierarchy-exponents': ascendingNumbers,
  '--max-skip-slots': count,
  '--prepare-payload-lookahead': wholeNumber(0, 12_000),
  '--prune-blobs': yesOrNo,
  '--prune-payloads': yesOrNo,
  '--always-prepare-payload': bareSwitch,
  '--disable-quic': bareSwitch,
  '--disable-upnp': bareSwitch,
  '--import-all-attestations': bareSwitch,
  '--reconstruct-historic-states': bareSwitch,
  '--subscribe-all-subnets': bareSwitch,
};

/** https://docs.teku.consensys.io/reference/cli */
const teku: AllowedFlags = {
  '--logging': oneOf('OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL'),
  '--log-color-enabled': trueOrFalse,
  '--data-storage-archive-frequency': wholeNumber(1, largest.int64),
  '--data-storage-non-canonical-blocks-enabled': trueOrFalse,
  '--p2p-peer-upper-bound': peers,
  '--p2p-subscribe-all-subnets-enabled': trueOrFalse,
};

/** https://nimbus.guide/options.html */
const nimbus: AllowedFlags = {
  '--log-level': oneOf('TRACE', 'DEBUG', 'INFO', 'NOTICE', 'WARN', 'ERROR', 'FATAL', 'NONE'),
  '--log-format': oneOf('auto', 'colors', 'nocolors', 'json', 'none'),
  '--max-peers': peers,
  '--num-threads': wholeNumber(0, 64),
  '--light-client-data-import-mode': oneOf('none', 'only-new', 'full', 'on-demand'),
  '--light-client-data-serve': trueOrFalse,
  '--subscribe-all-subnets': trueOrFalse,
};

/** https://chainsafe.github.io/lodestar/run/beacon-management/beacon-cli, and packages/cli/src/options of its sources */
const lodestar: AllowedFlags = {
  '--logLevel': oneOf('error', 'warn', 'info', 'verbose', 'debug', 'trace'),
  '--targetPeers': peers,
  '--chain.archiveStateEpochFrequency': atLeastOne,
  '--chain.maxSkipSlots': count,
  '--chain.nHistoricalStates': trueOrFalse,
  '--emitPayloadAttributes': trueOrFalse,
  '--serveHistoricalState': trueOrFalse,
  '--subscribeAllSubnets': trueOrFalse,
  '--supernode': trueOrFalse,
};

/** grandine/src/grandine_args.rs of its sources */
const grandine: AllowedFlags = {
  '--graffiti': blockText,
  '--target-peers': peers,
  '--archival-epoch-interval': atLeastOne,
  '--max-empty-slots': count,
  '--request-timeout': wholeNumber(100, 600_000),
  // It refuses less than two epochs.
  '--unfinalized-states-in-memory': wholeNumber(64, 8_192),
  '--prune-storage': bareSwitch,
  '--subscribe-all-subnets': bareSwitch,
};

/** cmd/flags.go, cmd/beacon-chain/flags and config/features/flags.go of 7.0.0 */
const prysm: AllowedFlags = {
  '--verbosity': oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'panic'),
  // The container has no journal.
  '--log-format': oneOf('text', 'json', 'fluentd'),
  '--p2p-max-peers': peers,
  '--slots-per-archive-point': atLeastOne,
  // With more, it says that it is not healthy.
  '--max-goroutines': wholeNumber(1_000, 1_000_000),
  '--block-batch-limit': wholeNumber(1, 128),
  '--block-batch-limit-burst-factor': wholeNumber(1, 1_000),
  '--blob-batch-limit': wholeNumber(1, 4_096),
  '--blob-batch-limit-burst-factor': wholeNumber(1, 1_000),
  '--grpc-max-msg-size': wholeNumber(1_048_576, largest.int32),
  '--rpc-max-page-size': atLeastOne,
  // For each peer and topic.
  '--pubsub-queue-size': wholeNumber(1, 10_000),
  '--engine-endpoint-timeout-seconds': wholeNumber(1, 3_600),
  '--local-block-value-boost': wholeNumber(0, 10_000),
  '--enable-historical-state-representation': trueOrFalse,
  '--prepare-all-payloads': trueOrFalse,
  '--save-full-execution-payloads': trueOrFalse,
};

/** By the name in clType. */
export const consensusFlags: Record<(typeof clTypes)[number], AllowedFlags> = {
  lighthouse,
  teku,
  nimbus,
  lodestar,
  grandine,
  prysm,
};
