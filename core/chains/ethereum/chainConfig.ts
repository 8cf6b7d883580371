import { depositContractAddress } from '../systemAccounts.ts';

/** The beacon chain parameters that a network chooses; the names are those of the specification. */
export interface BeaconParameters {
  chainId: string;
  /** Seconds since 1970. */
  genesisTime: number;
  validatorCount: number;
  secondsPerSlot: number;
  churnLimitQuotient: number;
  ejectionBalance: number;
  followDistance: number;
  minWithdrawalDelay: number;
  shardCommitteePeriod: number;
}

/** Mainnet's values, for what a network does not choose (github.com/ethereum/consensus-specs, configs/mainnet.yaml). */
export const mainnetParameters = {
  secondsPerSlot: 12,
  churnLimitQuotient: 65_536,
  ejectionBalance: 16_000_000_000,
  followDistance: 2_048,
  minWithdrawalDelay: 256,
  shardCommitteePeriod: 256,
} as const;

const never = '18446744073709551615';
/** Our own fork versions, so that no signature is valid on a public network. */
const forks = ['GENESIS', 'ALTAIR', 'BELLATRIX', 'CAPELLA', 'DENEB', 'ELECTRA', 'FULU'] as const;
const lastActiveFork = forks.indexOf('ELECTRA');

/** The beacon chain's config.yaml: preset mainnet, every fork up to Electra from the first slot on. */
export function renderChainConfig(parameters: BeaconParameters): string {
  const entries: [string, string | number][] = [
    ['PRESET_BASE', "'mainnet'"],
    ['CONFIG_NAME', "'slipway'"],
    ['TERMINAL_TOTAL_DIFFICULTY', 0],
    ['TERMINAL_BLOCK_HASH', `0x${'0'.repeat(64)}`],
    ['TERMINAL_BLOCK_HASH_ACTIVATION_EPOCH', never],
    ['MIN_GENESIS_ACTIVE_VALIDATOR_COUNT', parameters.validatorCount],
    ['MIN_GENESIS_TIME', parameters.genesisTime],
    ['GENESIS_DELAY', 0],
    ...forks.flatMap((fork, index) => forkEntries(fork, index)),
    ...chosenEntries(parameters),
    ...mainnetEntries,
  ];
  return `${entries.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`;
}

function forkEntries(fork: string, index: number): [string, string | number][] {
  const version: [string, string] = [`${fork}_FORK_VERSION`, `0x${index + 1}0000038`];
  if (index === 0) return [version];
  return [version, [`${fork}_FORK_EPOCH`, index <= lastActiveFork ? 0 : never]];
}

function chosenEntries(parameters: BeaconParameters): [string, string | number][] {
  return [
    ['SECONDS_PER_SLOT', parameters.secondsPerSlot],
    ['SLOT_DURATION_MS', parameters.secondsPerSlot * 1_000],
    ['SECONDS_PER_ETH1_BLOCK', parameters.secondsPerSlot],
    ['CHURN_LIMIT_QUOTIENT', parameters.churnLimitQuotient],
    ['EJECTION_BALANCE', parameters.ejectionBalance],
    ['ETH1_FOLLOW_DISTANCE', parameters.followDistance],
    ['MIN_VALIDATOR_WITHDRAWABILITY_DELAY', parameters.minWithdrawalDelay],
    ['SHARD_COMMITTEE_PERIOD', parameters.shardCommitteePeriod],
    ['DEPOSIT_CHAIN_ID', parameters.chainId],
    ['DEPOSIT_NETWORK_ID', parameters.chainId],
    ['DEPOSIT_CONTRACT_ADDRESS', depositContractAddress],
  ];
}

/** Clients differ in their defaults, so all of mainnet's configuration is written out. */
const mainnetEntries: [string, string | number][] = [
  ['INACTIVITY_SCORE_BIAS', 4],
  ['INACTIVITY_SCORE_RECOVERY_RATE', 16],
  ['MIN_PER_EPOCH_CHURN_LIMIT', 4],
  ['MAX_PER_EPOCH_ACTIVATION_CHURN_LIMIT', 8],
  ['MIN_PER_EPOCH_CHURN_LIMIT_ELECTRA', 128_000_000_000],
  ['MAX_PER_EPOCH_ACTIVATION_EXIT_CHURN_LIMIT', 256_000_000_000],
  ['PROPOSER_SCORE_BOOST', 40],
  ['REORG_HEAD_WEIGHT_THRESHOLD', 20],
  ['REORG_PARENT_WEIGHT_THRESHOLD', 160],
  ['REORG_MAX_EPOCHS_SINCE_FINALIZATION', 2],
  ['MAX_PAYLOAD_SIZE', 10_485_760],
  ['MAX_REQUEST_BLOCKS', 1_024],
  ['EPOCHS_PER_SUBNET_SUBSCRIPTION', 256],
  ['MIN_EPOCHS_FOR_BLOCK_REQUESTS', 33_024],
  ['ATTESTATION_PROPAGATION_SLOT_RANGE', 32],
  ['MAXIMUM_GOSSIP_CLOCK_DISPARITY', 500],
  ['MESSAGE_DOMAIN_INVALID_SNAPPY', '0x00000000'],
  ['MESSAGE_DOMAIN_VALID_SNAPPY', '0x01000000'],
  ['SUBNETS_PER_NODE', 2],
  ['ATTESTATION_SUBNET_COUNT', 64],
  ['ATTESTATION_SUBNET_EXTRA_BITS', 0],
  ['ATTESTATION_SUBNET_PREFIX_BITS', 6],
  ['MAX_REQUEST_BLOCKS_DENEB', 128],
  ['MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS', 4_096],
  ['BLOB_SIDECAR_SUBNET_COUNT', 6],
  ['MAX_BLOBS_PER_BLOCK', 6],
  ['MAX_REQUEST_BLOB_SIDECARS', 768],
  ['BLOB_SIDECAR_SUBNET_COUNT_ELECTRA', 9],
  ['MAX_BLOBS_PER_BLOCK_ELECTRA', 9],
  ['MAX_REQUEST_BLOB_SIDECARS_ELECTRA', 1_152],
];
