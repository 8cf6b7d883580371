import type { Access } from '../../../core/accounts/accessKeys.ts';
import { evmMethodAccess } from './evmMethods.ts';

/** Who may call a JSON-RPC method: everybody with a URL, only holders of the admin URL, or nobody. */
export type MethodAccess = Access | 'never';

interface CommonPolicy {
  /** Names of the upstream's port, in order of preference. */
  ports: readonly string[];
  /** The access that the service requires; the admin key grants all access. */
  needs: Access;
}

/** JSON-RPC over HTTP POST, WebSocket or both. Each call is checked by its method. */
export interface JsonRpcPolicy extends CommonPolicy {
  kind: 'jsonRpc';
  hasHttp: boolean;
  methodAccess(method: string): MethodAccess;
  /** Whether a call may be sent twice without further effect. */
  isRepeatable(method: string): boolean;
  /** Whether GET `/{method}?{params}` is a call as well, as in CometBFT. */
  hasUriCalls?: boolean;
  /** False: HTTP only. */
  hasSocket?: boolean;
  /** The path at which the node accepts WebSockets; `/` if absent. Callers may append it to the URL. */
  socketPath?: string;
}

/** Any HTTP method on any path below the service, for explorers, indexers and REST nodes. */
export interface PlainHttpPolicy extends CommonPolicy {
  kind: 'plainHttp';
  /** Who may use an HTTP method on a path (leading slash, no query); if absent, everything is public. */
  pathAccess?(method: string, path: string): MethodAccess;
}

export type ServicePolicy = JsonRpcPolicy | PlainHttpPolicy;
export type Services = Pick<ReadonlyMap<string, ServicePolicy>, 'get'>;

/** JSON-RPC as every EVM client serves it. */
export const evmJsonRpc = {
  kind: 'jsonRpc',
  methodAccess: evmMethodAccess,
  isRepeatable: (method: string) => repeatable.test(method),
} as const;

/** Reads that leave no state in the node. Filters do: polling a filter consumes its events. */
const repeatable =
  /^(net|web3|trace|ots|txpool)_|^debug_trace|^eth_(chainId|blockNumber|call|estimateGas|gasPrice|maxPriorityFeePerGas|blobBaseFee|feeHistory|syncing|accounts|createAccessList|simulateV1|get(?!Filter|Work).*)$/;

/** The services of EVM networks by their name in URLs. A node without a WebSocket port serves WebSocket on `rpc`. */
export const evmServices: ReadonlyMap<string, ServicePolicy> = new Map<string, ServicePolicy>([
  ['rpc', { ...evmJsonRpc, ports: ['rpc'], needs: 'public', hasHttp: true }],
  ['ws', { ...evmJsonRpc, ports: ['ws', 'rpc'], needs: 'public', hasHttp: false }],
  ['admin', { ...evmJsonRpc, ports: ['rpc'], needs: 'admin', hasHttp: true }],
]);
