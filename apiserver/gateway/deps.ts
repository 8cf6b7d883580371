import type { Keyring } from '../../core/accounts/keyring.ts';
import type { Shares } from '../../core/accounts/shares/shares.ts';
import type { ChainType, Profile } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkState } from '../../core/api/resources/networkStatus.ts';
import type { ChosenPlugin } from '../../core/api/rules/plugins.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import type { AccessEpochs } from '../../core/networks/accessEpochs.ts';
import type { KeyScopes } from '../../core/networks/keyScopes.ts';
import type { Tracer } from '../../core/tracing/tracing.ts';
import type { BudgetMetrics } from '../http/limits/budgetMetrics.ts';
import type { MemoryBudget } from '../http/limits/memoryBudget.ts';
import type { NodePlaces } from '../http/limits/nodePlaces.ts';
import type { SourceOf } from '../http/limits/source.ts';
import type { ObserveCalls } from './calls/observed.ts';
import type { AnswerOwn } from './ownService.ts';
import type { Services } from './policy/policy.ts';

/** The gateway's view of a network. */
export interface RpcNetwork {
  uid: string;
  id: string;
  name: string;
  namespace: string;
  type: ChainType;
  /** Participants of an Ethereum network, each with two nodes; 0 or absent if the network is a single engine. */
  participants?: number;
  /** Of the types with profiles. */
  profile?: Profile;
  /** The plugins that its spec switches on. */
  plugins?: readonly ChosenPlugin[];
  /** Why services of plugins cannot be used now although the network runs, by service. */
  failedServices?: Readonly<Record<string, string>>;
  /** Undefined until the operator has reconciled the network for the first time. */
  state: NetworkState | undefined;
  message?: string;
  isDeleting: boolean;
  /** Its node holds the URL from which it forks, with a token of the installation, or may still hold it. */
  isFork?: boolean;
  /** Its engine may have states that a former process saved. */
  hasHistory?: boolean;
  /** What its access keys cover. */
  keyScopes: KeyScopes;
  /** The epochs of its access keys. */
  accessEpochs: AccessEpochs;
}

/** The fields that determine which services a network has. */
export type NetworkShape = Pick<RpcNetwork, 'type' | 'participants' | 'profile' | 'plugins'>;

export interface NetworkLookup {
  find(uid: string): RpcNetwork | undefined;
  /** Those that a URL with this id may mean, the oldest first: a label may repeat another workspace's id. */
  at(id: string): readonly RpcNetwork[];
  /** Called with uid and id of each network that is added, changed or removed. Returns a function that unsubscribes. */
  onChange(listener: (uid: string, id: string) => void): () => void;
}

/** A key of a network with a name, beside those that every network has. */
export interface NamedKey {
  name: string;
  /** What it may call: names, or beginnings of names followed by "*". Undefined: all that the public URL offers. */
  methods: readonly string[] | undefined;
  /** Undefined: it does not expire. */
  expiresAtMs: number | undefined;
  isRevoked: boolean;
}

/** The keys with names of all networks. */
export interface NamedKeys {
  /** The key of a network that has this text, also one that has ended. Texts are compared in constant time. */
  find(network: Pick<RpcNetwork, 'id' | 'name' | 'namespace'>, accessKey: string): NamedKey | undefined;
  /** Called with the namespace of each key that changes. Returns a function that unsubscribes. */
  onChange(listener: (namespace: string) => void): () => void;
}

/** Where a service of a network listens inside the cluster. */
export interface Upstream {
  host: string;
  port: number;
  /** uid of the pod. */
  pod?: string;
}

export interface UpstreamLookup {
  /** A ready address for the port named `port`; undefined while there is none. */
  find(networkUid: string, port: string): Upstream | undefined;
  /** Called with the uid of each network whose addresses changed. Returns a function that unsubscribes. */
  onChange(listener: (networkUid: string) => void): () => void;
}

export interface RpcGatewayDeps {
  accessKeys: Keyring;
  networks: NetworkLookup;
  upstreams: UpstreamLookup;
  /** Requests that a stopped network be started. Returns immediately and never throws. */
  wake(networkUid: string): void;
  /** Records that a network is in use; called at most once a minute per network. Returns immediately, never throws. */
  activity(networkUid: string): void;
  /** Counts calls that networks of a namespace get. */
  countCalls?(namespace: string, count: number): void;
  /** Keys with names; none by default. */
  namedKeys?: NamedKeys | undefined;
  /** Who wants to know the calls of a network. */
  observeCalls?: ObserveCalls;
  /** `installation.rpc`. */
  settings: { holdSeconds: number; maxBodyBytes: number };
  /** `installation.serviceDomain`; absent or empty: services have no host names. */
  serviceDomain?: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** The services that URLs of a network may name; defaults to those of its chain family. */
  servicesOf?: (network: NetworkShape) => Services;
  limits?: Partial<GatewayLimits>;
  /** Answers the services that the process serves itself, by their names. */
  ownServices?: ReadonlyMap<string, AnswerOwn>;
  /** Shared with REST; by default one of the gateway's own, of `limits.memoryBytes`. */
  memory?: MemoryBudget;
  budgets?: BudgetMetrics;
  /** The room that nodes have for calls. Shared with REST; by default the gateway's own. */
  places?: NodePlaces;
  /** Whose share calls to the networks of a workspace take; by default that of the workspace. */
  shares?: Pick<Shares, 'of'>;
  /** By default the address of the connection. */
  sourceOf?: SourceOf;
  /** Nothing is traced if absent. */
  tracer?: Tracer;
}

export interface GatewayLimits {
  heldPerNetwork: number;
  held: number;
  socketsPerNetwork: number;
  socketsPerSource: number;
  memoryBytes: number;
  /** Longest time without data from a node while an answer is pending, and without a caller taking any of it. */
  idleMs: number;
  connectMs: number;
  /** Interval between pings of an open WebSocket. A peer that has not answered by the next ping is disconnected. */
  pingMs: number;
  /** How long `close` waits for calls in flight. */
  drainMs: number;
}

export const defaultLimits: GatewayLimits = {
  heldPerNetwork: 256,
  held: 4096,
  socketsPerNetwork: 1024,
  socketsPerSource: 1024,
  memoryBytes: 320 * 1024 * 1024,
  idleMs: 120_000,
  connectMs: 3000,
  pingMs: 30_000,
  drainMs: 10_000,
};
