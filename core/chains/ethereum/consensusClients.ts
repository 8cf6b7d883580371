import type { clTypes } from '../../api/resources/chainSpecs.ts';
import { podAddressVariable } from '../driver.ts';
import {
  beaconPorts,
  beaconUrlOf,
  type ConsensusRow,
  type EthereumNode,
  engineUrlOf,
  paths,
  validatorPorts,
} from './node.ts';

export type ConsensusType = (typeof clTypes)[number];

const version = ['--version'];
const podAddress = `$(${podAddressVariable})`;
const genesisState = `${paths.beaconGenesis}/genesis.ssz`;

function option(flag: string, peers: readonly string[]): string[] {
  return peers.length === 0 ? [] : [`${flag}=${peers.join(',')}`];
}

const prysm: ConsensusRow = {
  engine: 'prysm',
  probe: version,
  hasNodeKey: true,
  // It would otherwise propose blocks on the genesis before it has found a peer. The last value counts.
  argsWithoutCopy: ['--min-sync-peers=1'],
  args: (node: EthereumNode) => [
    ...['--accept-terms-of-use=true', `--datadir=${paths.data}`],
    ...[`--genesis-state=${genesisState}`, `--chain-config-file=${paths.beaconGenesis}/config.yaml`],
    ...[`--chain-id=${node.chainId}`, `--network-id=${node.chainId}`, '--contract-deployment-block=0'],
    ...[`--execution-endpoint=${engineUrlOf(node)}`, `--jwt-secret=${paths.jwt}`],
    ...['--http-host=0.0.0.0', `--http-port=${beaconPorts.rest}`, '--http-cors-domain=*'],
    ...['--rpc-host=0.0.0.0', `--rpc-port=${beaconPorts.rpc}`],
    ...[
      `--p2p-priv-key=${paths.nodeKey}`,
      `--p2p-host-ip=${podAddress}`,
      `--p2p-tcp-port=${beaconPorts.consensus}`,
    ],
    '--no-discovery',
    ...node.peers.consensus.map((peer) => `--peer=${peer}`),
    // Built with Go 1.26, its quic-go ends both processes when a node comes back (quic-go#5572). The peers' addresses are TCP.
    '--disable-quic',
    // After a restart it continues from its last block: geth does not build on a justified block that old, and no other node may
    // have the blocks in between.
    '--sync-from=head',
    // It would wait for a peer that is ahead: after a stop of all nodes, nobody is.
    '--min-sync-peers=0',
    ...['--minimum-peers-per-subnet=0', '--subscribe-all-subnets'],
    ...['--disable-monitoring=true', `--suggested-fee-recipient=${node.feeRecipient}`],
  ],
  validator: {
    engine: 'prysm-validator',
    probe: version,
    keys: 'wallet',
    args: (node) => [
      ...[
        '--accept-terms-of-use=true',
        `--datadir=${paths.data}`,
        `--chain-config-file=${paths.chainConfig}`,
      ],
      ...[`--wallet-dir=${paths.keys}/wallet`, `--wallet-password-file=${paths.keys}/password`],
      `--beacon-rpc-provider=${node.hosts.consensus}:${beaconPorts.rpc}`,
      ...['--monitoring-host=0.0.0.0', `--monitoring-port=${validatorPorts.metrics}`],
      ...[`--suggested-fee-recipient=${node.feeRecipient}`, `--suggested-gas-limit=${node.gasLimit}`],
    ],
  },
};

const lighthouse: ConsensusRow = {
  engine: 'lighthouse',
  // The image has no entry point.
  probe: ['lighthouse', '--version'],
  hasNodeKey: false,
  args: (node) => [
    ...['lighthouse', 'bn', `--testnet-dir=${paths.beaconGenesis}`, `--datadir=${paths.data}`],
    ...[`--execution-endpoints=${engineUrlOf(node)}`, `--jwt-secrets=${paths.jwt}`],
    ...['--http', '--http-address=0.0.0.0', `--http-port=${beaconPorts.rest}`, '--http-allow-origin=*'],
    ...['--listen-address=0.0.0.0', `--port=${beaconPorts.consensus}`, `--enr-address=${podAddress}`],
    ...['--disable-packet-filter', '--disable-enr-auto-update', '--allow-insecure-genesis-sync'],
    ...option('--libp2p-addresses', node.peers.consensus),
    `--suggested-fee-recipient=${node.feeRecipient}`,
  ],
  validator: {
    engine: 'lighthouse',
    probe: ['lighthouse', '--version'],
    keys: 'keystores',
    args: (node) => [
      ...['lighthouse', 'vc', `--testnet-dir=${paths.network}`],
      ...[
        `--validators-dir=${paths.keys}/keys`,
        `--secrets-dir=${paths.keys}/secrets`,
        '--init-slashing-protection',
      ],
      `--beacon-nodes=${beaconUrlOf(node)}`,
      ...['--metrics', '--metrics-address=0.0.0.0', `--metrics-port=${validatorPorts.metrics}`],
      ...[`--suggested-fee-recipient=${node.feeRecipient}`, `--gas-limit=${node.gasLimit}`],
    ],
  },
};

const teku: ConsensusRow = {
  engine: 'teku',
  probe: version,
  hasNodeKey: true,
  args: (node) => [
    ...[
      `--network=${paths.beaconGenesis}/config.yaml`,
      `--genesis-state=${genesisState}`,
      `--data-path=${paths.data}`,
    ],
    ...[`--ee-endpoint=${engineUrlOf(node)}`, `--ee-jwt-secret-file=${paths.jwt}`],
    ...['--rest-api-enabled=true', '--rest-api-interface=0.0.0.0', `--rest-api-port=${beaconPorts.rest}`],
    ...['--rest-api-host-allowlist=*', '--data-storage-mode=archive', '--log-destination=CONSOLE'],
    ...['--p2p-enabled=true', `--p2p-port=${beaconPorts.consensus}`, `--p2p-advertised-ip=${podAddress}`],
    ...['--p2p-peer-lower-bound=1', `--Xp2p-private-key-file-secp256k1=${paths.nodeKey}`],
    ...option('--p2p-static-peers', node.peers.consensus),
    '--ignore-weak-subjectivity-period-enabled=true',
  ],
  validator: {
    engine: 'teku',
    probe: version,
    keys: 'keystores',
    args: (node) => [
      ...['validator-client', `--network=${paths.chainConfig}`, `--data-path=${paths.data}`],
      ...[
        `--validator-keys=${paths.keys}/flat:${paths.keys}/flat`,
        `--beacon-node-api-endpoint=${beaconUrlOf(node)}`,
      ],
      ...[
        '--metrics-enabled=true',
        '--metrics-interface=0.0.0.0',
        `--metrics-port=${validatorPorts.metrics}`,
      ],
      ...['--metrics-host-allowlist=*', '--log-destination=CONSOLE'],
      `--validators-proposer-default-fee-recipient=${node.feeRecipient}`,
    ],
  },
};

const nimbus: ConsensusRow = {
  engine: 'nimbus',
  probe: version,
  hasNodeKey: false,
  args: (node) => [
    ...['--non-interactive=true', `--network=${paths.beaconGenesis}`, `--data-dir=${paths.data}`],
    ...[`--web3-url=${engineUrlOf(node)}`, `--jwt-secret=${paths.jwt}`],
    ...['--rest', '--rest-address=0.0.0.0', `--rest-port=${beaconPorts.rest}`, '--rest-allow-origin=*'],
    ...[`--tcp-port=${beaconPorts.consensus}`, `--udp-port=${beaconPorts.consensus}`],
    ...[
      `--nat=extip:${podAddress}`,
      '--enr-auto-update=false',
      '--doppelganger-detection=false',
      '--history=prune',
    ],
    ...node.peers.consensus.map((peer) => `--direct-peer=${peer}`),
    `--suggested-fee-recipient=${node.feeRecipient}`,
  ],
  validator: {
    engine: 'nimbus-validator',
    probe: version,
    keys: 'keystores',
    args: (node) => [
      ...[`--beacon-node=${beaconUrlOf(node)}`, `--data-dir=${paths.data}`],
      ...[`--validators-dir=${paths.keys}/keys`, `--secrets-dir=${paths.keys}/secrets`],
      ...['--metrics', '--metrics-address=0.0.0.0', `--metrics-port=${validatorPorts.metrics}`],
      ...[`--suggested-fee-recipient=${node.feeRecipient}`, `--suggested-gas-limit=${node.gasLimit}`],
    ],
  },
};

const lodestar: ConsensusRow = {
  engine: 'lodestar',
  probe: version,
  hasNodeKey: false,
  args: (node) => [
    ...['beacon', `--paramsFile=${paths.beaconGenesis}/config.yaml`, `--genesisStateFile=${genesisState}`],
    ...[`--dataDir=${paths.data}`, '--eth1.depositContractDeployBlock=0'],
    ...[`--execution.urls=${engineUrlOf(node)}`, `--jwt-secret=${paths.jwt}`],
    ...['--rest=true', '--rest.address=0.0.0.0', `--rest.port=${beaconPorts.rest}`, '--rest.namespace=*'],
    ...[`--port=${beaconPorts.consensus}`, `--enr.ip=${podAddress}`, '--nat=true', '--discv5=true'],
    ...option('--directPeers', node.peers.consensus),
    `--suggestedFeeRecipient=${node.feeRecipient}`,
  ],
  validator: {
    engine: 'lodestar',
    probe: version,
    keys: 'keystores',
    args: (node) => [
      ...['validator', `--paramsFile=${paths.chainConfig}`, `--dataDir=${paths.data}`],
      ...[`--keystoresDir=${paths.keys}/keys`, `--secretsDir=${paths.keys}/secrets`],
      ...[`--beaconNodes=${beaconUrlOf(node)}`, '--useProduceBlockV3', '--disableKeystoresThreadPool'],
      ...['--metrics', '--metrics.address=0.0.0.0', `--metrics.port=${validatorPorts.metrics}`],
      ...[`--suggestedFeeRecipient=${node.feeRecipient}`, `--defaultGasLimit=${node.gasLimit}`],
    ],
  },
};

const grandine: ConsensusRow = {
  engine: 'grandine',
  probe: version,
  hasNodeKey: false,
  args: (node) => [
    ...[`--configuration-directory=${paths.beaconGenesis}`, `--data-dir=${paths.data}`],
    ...[`--eth1-rpc-urls=${engineUrlOf(node)}`, `--jwt-secret=${paths.jwt}`],
    ...['--http-address=0.0.0.0', `--http-port=${beaconPorts.rest}`],
    ...[`--libp2p-port=${beaconPorts.consensus}`, `--enr-address=${podAddress}`, '--disable-enr-auto-update'],
    // Otherwise it refuses prysm as a peer.
    '--features=DisableFinalizedRootCheck',
    ...option('--libp2p-nodes', node.peers.consensus),
    ...[`--keystore-dir=${paths.keys}/flat`, `--keystore-password-file=${paths.keys}/flat`],
    ...[`--suggested-fee-recipient=${node.feeRecipient}`, `--default-gas-limit=${node.gasLimit}`],
  ],
};

/** Consensus clients by the name in clType. */
export const consensusClients = {
  lighthouse,
  teku,
  nimbus,
  lodestar,
  grandine,
  prysm,
} satisfies Record<ConsensusType, ConsensusRow>;
