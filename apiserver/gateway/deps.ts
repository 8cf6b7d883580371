import type { ChainType } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkState } from '../../core/api/resources/network.ts';
import type { ChosenPlugin } from '../../core/api/rules/plugins.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import type { Services } from './policy/policy.ts';

/** What the gateway reads of a network. */
export interface RpcNetwork {
  uid: string;
  name: string;
  namespace: string;
  type: ChainType;
  /** Participants of an Ethereum network, each with two nodes; 0 or absent when one engine is all there is. */
  participants?: number;
  /** The plugins that its spec switches on. */
  plugins?: readonly ChosenPlugin[];
  /** Undefined until the operator has seen it. */
  state: NetworkState | undefined;
  message?: string;
  isDeleting: boolean;
  /** Its node knows a URL that is the installation's secret. */
  isFork?: boolean;
}

/** What decides which services a network has. */
export type NetworkShape = Pick<RpcNetwork, 'type' | 'participants' | 'plugins'>;

export interface NetworkLookup {
  find(uid: string): RpcNetwork | undefined;
  /** Called with the uid of each network that came, changed or went; the answer ends that. */
  onChange(listener: (uid: string) => void): () => void;
}

/** Where a service of a network listens inside the cluster. */
export interface Upstream {
  host: string;
  port: number;
}

export interface UpstreamLookup {
  /** A ready address of the port named `port`, or undefined while there is none. */
  find(networkUid: string, port: string): Upstream | undefined;
  /** Called with the uid of each network whose addresses changed; the answer ends that. */
  onChange(listener: (networkUid: string) => void): () => void;
}

export interface RpcGatewayDeps {
  gatewayKey: Uint8Array;
  networks: NetworkLookup;
  upstreams: UpstreamLookup;
  /** Asks for a stopped network to be started. Returns at once and never throws. */
  wake(networkUid: string): void;
  /** Notes that a network is in use; called at most once a minute for each. Returns at once and never throws. */
  activity(networkUid: string): void;
  /** `installation.rpc`. */
  settings: { holdSeconds: number; maxBodyBytes: number };
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** The services that URLs of a network may name; those of its family when absent. */
  servicesOf?: (network: NetworkShape) => Services;
  limits?: Partial<GatewayLimits>;
}

export interface GatewayLimits {
  heldPerNetwork: number;
  held: number;
  socketsPerNetwork: number;
  /** Request bodies in memory at one time, in bytes. */
  bodyBytes: number;
  /** Longest silence of a node while an answer is awaited. */
  idleMs: number;
  connectMs: number;
  /** Between pings of an open WebSocket; one that leaves a ping unanswered is cut at the next. */
  pingMs: number;
  /** How long `close` waits for calls under way. */
  drainMs: number;
}

export const defaultLimits: GatewayLimits = {
  heldPerNetwork: 256,
  held: 4096,
  socketsPerNetwork: 1024,
  bodyBytes: 256 * 1024 * 1024,
  idleMs: 120_000,
  connectMs: 3000,
  pingMs: 30_000,
  drainMs: 10_000,
};
