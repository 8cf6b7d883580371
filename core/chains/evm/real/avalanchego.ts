import type { EnginePart, PlanInput, ReadinessCall } from '../../driver.ts';
import type { EvmChain } from '../chain.ts';
import { leastGasLimit, networkId, renderAvalancheGenesis } from './avalancheGenesis.ts';
import { genesisPath } from './gethArgs.ts';
import { belowLeast, gasLimitOf, preparationOf, type RealClientRow, unsupported } from './realClient.ts';

const rpcPort = 8545;
const dataPath = '/data';
const chainConfigsPath = '/etc/slipway/chains';
/** A block may hold ten times the gas that the chain is to use per second (ACP-176). */
const gasLimitPerTarget = 10;

/** The chain makes no block of its own accord, so nothing waits for its first one. */
const readinessCall: ReadinessCall = {
  method: 'eth_blockNumber',
  params: [],
  isAnswer: (result) => typeof result === 'string',
};

/** avalanchego as the only node of a network: its C-Chain, which makes blocks of what is sent to it. */
export const avalanchego: RealClientRow = {
  engines: ['avalanchego'],
  caveats: [
    'one node, which accepts its own blocks at once, and makes none without a transaction',
    'only the C-Chain: no P-Chain, no X-Chain, no Warp messages',
  ],
  refuse: ({ blockTime, gasLimit }, { blockTimeSeconds }) => ({
    blockTime: unsupported(
      blockTime !== undefined,
      `the rules of the C-Chain make a block once there are transactions, at most every ${blockTimeSeconds} seconds`,
    ),
    gasLimit: belowLeast(gasLimit, leastGasLimit, ' for the rules of the C-Chain (ACP-176)'),
  }),
  plan: (facts, input) => ({
    parts: [nodePart(facts, input)],
    services: { rpc: { part: 'node', port: 'rpc' } },
    caveats: [...avalanchego.caveats],
    readinessCall,
    preparation: preparationOf([{ engine: 'avalanchego' }]),
  }),
};

function nodePart(facts: EvmChain, input: PlanInput): EnginePart {
  return {
    name: 'node',
    engine: 'avalanchego',
    args: [
      ...[`--data-dir=${dataPath}`, `--network-id=${networkId}`, `--genesis-file=${genesisPath}`],
      `--chain-config-dir=${chainConfigsPath}`,
      // Of the node's addresses only this one is open: JSON-RPC of the C-Chain at /, also as WebSocket.
      `--c-chain-address=0.0.0.0:${rpcPort}`,
      ...['--http-port=0', '--staking-host=127.0.0.1', '--staking-port=0', '--public-ip=127.0.0.1'],
      // No other node: whoever this one is, its vote decides.
      ...['--sybil-protection-enabled=false', '--snow-sample-size=1', '--snow-quorum-size=1'],
      ...['--staking-ephemeral-cert-enabled', '--staking-ephemeral-signer-enabled'],
      ...['--log-level=off', '--log-display-level=info'],
      // The defaults suit a public node: more files than a container may open, and half a GiB that stays free.
      '--fd-limit=4096',
      '--system-tracker-disk-required-available-space=16777216',
      '--system-tracker-disk-warning-threshold-available-space=33554432',
    ],
    files: {
      [genesisPath]: renderAvalancheGenesis(facts, input),
      [`${chainConfigsPath}/C/config.json`]: renderConfig(gasLimitOf(facts, input)),
    },
    ports: { rpc: rpcPort },
    readyPort: 'rpc',
    dataPath,
    losesChainWith: 'data',
  };
}

/** The configuration of the C-Chain (plugin/evm/config of coreth). */
function renderConfig(gasLimit: number): string {
  const config = {
    'gas-target': Math.floor(gasLimit / gasLimitPerTarget),
    'eth-apis': [
      ...['eth', 'eth-filter', 'net', 'web3', 'debug-tracer'],
      ...[
        'internal-eth',
        'internal-account',
        'internal-blockchain',
        'internal-transaction',
        'internal-tx-pool',
      ],
    ],
    'allow-unprotected-txs': true,
    'local-txs-enabled': true,
    // Every state is kept, and is written with its block.
    'pruning-enabled': false,
    'historical-proof-query-window': 0,
    'state-sync-enabled': false,
    // Megabytes; the defaults suit a public chain.
    'trie-clean-cache': 64,
    'trie-dirty-cache': 64,
    'snapshot-cache': 32,
  };
  return `${JSON.stringify(config, null, 1)}\n`;
}
