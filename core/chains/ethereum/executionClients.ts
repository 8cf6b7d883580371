import type { elTypes } from '../../api/resources/chainSpecs.ts';
import { type EthereumNode, type ExecutionRow, paths, ports } from './node.ts';

export type ExecutionType = (typeof elTypes)[number];

const staticNodesFile = '/etc/slipway/geth.toml';
const version = ['--version'];

/** While not connected, static nodes are looked up by name at each attempt. */
function gethFiles({ peers }: EthereumNode): Record<string, string> {
  if (peers.execution.length === 0) return {};
  return { [staticNodesFile]: `[Node.P2P]\nStaticNodes = ${JSON.stringify(peers.execution)}\n` };
}

const geth: ExecutionRow = {
  engine: 'geth',
  probe: version,
  files: gethFiles,
  args: (node) => [
    `--override.genesis=${paths.genesis}`,
    ...Object.keys(gethFiles(node)).map((path) => `--config=${path}`),
    `--datadir=${paths.data}`,
    // Every state is kept, and is written to disk with its block: a kill loses nothing.
    ...['--syncmode=full', '--gcmode=archive'],
    ...[
      '--http',
      '--http.addr=0.0.0.0',
      `--http.port=${ports.rpc}`,
      '--http.vhosts=*',
      '--http.corsdomain=*',
    ],
    '--http.api=eth,net,web3,debug,txpool',
    ...[
      '--ws',
      '--ws.addr=0.0.0.0',
      `--ws.port=${ports.ws}`,
      '--ws.origins=*',
      '--ws.api=eth,net,web3,debug,txpool',
    ],
    ...['--authrpc.addr=0.0.0.0', `--authrpc.port=${ports.engine}`, '--authrpc.vhosts=*'],
    `--authrpc.jwtsecret=${paths.jwt}`,
    ...[
      `--nodekey=${paths.nodeKey}`,
      `--port=${ports.execution}`,
      '--nat=none',
      '--nodiscover',
      '--ipcdisable',
    ],
    ...['--rpc.allow-unprotected-txs', '--miner.gasprice=1', `--miner.gaslimit=${node.gasLimit}`],
  ],
};

const reth: ExecutionRow = {
  engine: 'reth',
  probe: version,
  args: (node) => [
    ...['node', `--chain=${paths.genesis}`, `--datadir=${paths.data}`],
    ...['--http', '--http.addr=0.0.0.0', `--http.port=${ports.rpc}`, '--http.corsdomain=*'],
    '--http.api=eth,net,web3,debug,txpool,trace',
    ...[
      '--ws',
      '--ws.addr=0.0.0.0',
      `--ws.port=${ports.ws}`,
      '--ws.origins=*',
      '--ws.api=eth,net,web3,debug,txpool',
    ],
    ...['--authrpc.addr=0.0.0.0', `--authrpc.port=${ports.engine}`, `--authrpc.jwtsecret=${paths.jwt}`],
    ...[`--p2p-secret-key=${paths.nodeKey}`, `--port=${ports.execution}`, '--disable-discovery'],
    ...(node.peers.execution.length === 0 ? [] : [`--trusted-peers=${node.peers.execution.join(',')}`]),
    `--builder.gaslimit=${node.gasLimit}`,
  ],
};

const nethermind: ExecutionRow = {
  engine: 'nethermind',
  probe: version,
  args: (node) => [
    ...['--config=none', `--Init.ChainSpecPath=${paths.genesis}`, `--datadir=${paths.data}`],
    ...['--Init.WebSocketsEnabled=true', '--JsonRpc.Enabled=true', '--JsonRpc.Host=0.0.0.0'],
    '--JsonRpc.EnabledModules=net,eth,consensus,subscribe,web3,debug,txpool,trace',
    ...[`--JsonRpc.Port=${ports.rpc}`, `--JsonRpc.WebSocketsPort=${ports.ws}`],
    ...[
      '--JsonRpc.EngineHost=0.0.0.0',
      `--JsonRpc.EnginePort=${ports.engine}`,
      `--JsonRpc.JwtSecretFile=${paths.jwt}`,
    ],
    ...[`--KeyStore.EnodeKeyFile=${paths.nodeKey}`, `--Network.P2PPort=${ports.execution}`],
    // Every state is kept, and every transaction is found; geth does the latter in archive mode.
    ...['--Init.DiscoveryEnabled=false', '--Pruning.Mode=None', '--Receipt.TxLookupLimit=0'],
    ...(node.peers.execution.length === 0 ? [] : [`--Network.StaticPeers=${node.peers.execution.join(',')}`]),
    ...[`--Blocks.TargetBlockGasLimit=${node.gasLimit}`, `--Blocks.SecondsPerSlot=${node.secondsPerSlot}`],
  ],
};

const erigon: ExecutionRow = {
  engine: 'erigon',
  probe: version,
  init: () => [
    { name: 'genesis', engine: 'erigon', args: ['init', `--datadir=${paths.data}`, paths.genesis] },
  ],
  args: (node) => [
    ...[`--networkid=${node.chainId}`, `--datadir=${paths.data}`, '--externalcl'],
    ...[
      '--http',
      '--http.addr=0.0.0.0',
      `--http.port=${ports.rpc}`,
      '--http.vhosts=*',
      '--http.corsdomain=*',
    ],
    ...['--http.api=eth,erigon,web3,net,debug,trace,txpool', '--ws', `--ws.port=${ports.ws}`],
    ...['--authrpc.addr=0.0.0.0', `--authrpc.port=${ports.engine}`, '--authrpc.vhosts=*'],
    `--authrpc.jwtsecret=${paths.jwt}`,
    ...[`--nodekey=${paths.nodeKey}`, `--port=${ports.execution}`, '--nat=none', '--nodiscover'],
    ...(node.peers.execution.length === 0 ? [] : [`--staticpeers=${node.peers.execution.join(',')}`]),
    `--miner.gaslimit=${node.gasLimit}`,
  ],
};

const besu: ExecutionRow = {
  engine: 'besu',
  // Its entry point is `bash -c "/opt/besu/bin/besu $@"`.
  command: ['/opt/besu/bin/besu'],
  probe: version,
  args: (node) => [
    ...[
      `--genesis-file=${paths.genesis}`,
      `--data-path=${paths.data}`,
      '--sync-mode=FULL',
      '--host-allowlist=*',
    ],
    ...['--rpc-http-enabled=true', '--rpc-http-host=0.0.0.0', `--rpc-http-port=${ports.rpc}`],
    ...['--rpc-http-api=ETH,NET,DEBUG,TXPOOL,TRACE,WEB3', '--rpc-http-cors-origins=*'],
    ...['--rpc-ws-enabled=true', '--rpc-ws-host=0.0.0.0', `--rpc-ws-port=${ports.ws}`],
    '--rpc-ws-api=ETH,NET,DEBUG,TXPOOL,TRACE,WEB3',
    ...['--engine-rpc-enabled=true', `--engine-rpc-port=${ports.engine}`, '--engine-host-allowlist=*'],
    `--engine-jwt-secret=${paths.jwt}`,
    ...[`--node-private-key-file=${paths.nodeKey}`, `--p2p-port=${ports.execution}`],
    // Host names instead of addresses in enodes are an option that only Besu has.
    ...['--Xdns-enabled=true', '--Xdns-update-enabled=true'],
    ...(node.peers.execution.length === 0 ? [] : [`--bootnodes=${node.peers.execution.join(',')}`]),
    `--target-gas-limit=${node.gasLimit}`,
  ],
};

/** Execution clients by the name in elType. */
export const executionClients = { geth, reth, nethermind, erigon, besu } satisfies Record<
  ExecutionType,
  ExecutionRow
>;
