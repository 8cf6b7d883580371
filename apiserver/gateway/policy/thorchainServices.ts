import { cometAnswerWeight } from './answerWeights.ts';
import type { MethodAccess, ServicePolicy, Services } from './policy.ts';

/** Methods of CometBFT's JSON-RPC (rpc/core/routes.go, v0.38). Any other method is refused. */
const reads = new Set([
  'health',
  'status',
  'net_info',
  'blockchain',
  'genesis',
  'genesis_chunked',
  'block',
  'block_by_hash',
  'block_results',
  'commit',
  'header',
  'header_by_hash',
  'check_tx',
  'tx',
  'tx_search',
  'block_search',
  'validators',
  'dump_consensus_state',
  'consensus_state',
  'consensus_params',
  'unconfirmed_txs',
  'num_unconfirmed_txs',
  'abci_info',
  'abci_query',
]);
const others = new Map<string, MethodAccess>([
  ['broadcast_tx_async', 'public'],
  ['broadcast_tx_sync', 'public'],
  ['broadcast_tx_commit', 'public'],
  ['broadcast_evidence', 'public'],
  ['subscribe', 'public'],
  ['unsubscribe', 'public'],
  ['unsubscribe_all', 'public'],
  // Drops the node's pending transactions if unsafe methods are enabled. dial_seeds and dial_peers stay closed.
  ['unsafe_flush_mempool', 'admin'],
]);

/** Who may call `method` of CometBFT. */
export function cometMethodAccess(method: string): MethodAccess {
  return reads.has(method) ? 'public' : (others.get(method) ?? 'never');
}

const comet = {
  kind: 'jsonRpc',
  methodAccess: cometMethodAccess,
  named: [...reads, ...others.keys()],
  answerWeight: cometAnswerWeight,
  isRepeatable: (method: string) => reads.has(method),
  hasUriCalls: true,
  socketPath: '/websocket',
} as const;

/** The services of Thorchain networks. `grpc` is gRPC-Web, served beside REST, because gRPC itself needs HTTP/2. */
export const thorchainServices: Services = new Map<string, ServicePolicy>([
  ['rpc', { ...comet, ports: ['rpc'], needs: 'public', hasHttp: true }],
  ['ws', { ...comet, ports: ['rpc'], needs: 'public', hasHttp: false }],
  ['admin', { ...comet, ports: ['rpc'], needs: 'admin', hasHttp: true }],
  ['admin-ws', { ...comet, ports: ['rpc'], needs: 'admin', hasHttp: false }],
  ['rest', { kind: 'plainHttp', ports: ['rest'], needs: 'public' }],
  ['grpc', { kind: 'plainHttp', ports: ['rest'], needs: 'public' }],
]);
