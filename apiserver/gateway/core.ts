import type { Access } from '../../core/accounts/accessKeys.ts';
import type { BudgetMetrics } from '../http/limits/budgetMetrics.ts';
import type { MemoryBudget } from '../http/limits/memoryBudget.ts';
import type { NodePlaces } from '../http/limits/nodePlaces.ts';
import type { RateLimit } from '../http/limits/rateLimit.ts';
import type { SourceOf } from '../http/limits/source.ts';
import type { GatewayLimits, NetworkShape, RpcGatewayDeps, RpcNetwork } from './deps.ts';
import type { Assistance } from './light/assistance.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { ServicePolicy, Services } from './policy/policy.ts';
import type { CallTurns } from './proxy/callTurns.ts';
import type { Forward } from './proxy/forward.ts';
import type { ReadInTurn } from './proxy/readTurns.ts';
import type { Route } from './route.ts';
import type { SubscriptionRooms } from './sockets/subscriptionRoom.ts';
import type { Confirmations } from './wake/confirmations.ts';
import type { Readiness } from './wake/readiness.ts';
import type { StrandedTransactions } from './wake/strandedTransactions.ts';

type KeyedRoute = Pick<Route, 'id' | 'accessKey' | 'service' | 'isHosted'>;

export interface AccessCheck {
  /** The access that the key in a path or a host name grants to a network. Keys are compared in constant time. */
  of(route: KeyedRoute, network: Pick<RpcNetwork, 'uid' | 'keyScopes' | 'accessEpochs'>): Access | undefined;
  /** Whether the key may be that of a network that this replica does not know yet. */
  mayOpen(route: KeyedRoute): boolean;
}

/** Dependencies shared by the parts of the gateway. */
export interface GatewayCore {
  deps: RpcGatewayDeps;
  limits: GatewayLimits;
  servicesOf(network: NetworkShape): Services;
  readiness: Readiness;
  forward: Forward;
  turns: CallTurns;
  readInTurn: ReadInTurn;
  /** The room that nodes have for calls. */
  places: NodePlaces;
  /** What calls leave in nodes, by network and key. */
  kept: RateLimit;
  /** The room for subscriptions of WebSocket connections. */
  subscriptionRooms: SubscriptionRooms;
  metrics: GatewayMetrics;
  confirmations: Pick<Confirmations, 'beforePoll' | 'noteControl' | 'watch'>;
  assistance: Assistance;
  strandedTransactions: Pick<StrandedTransactions, 'noteSent'>;
  memory: MemoryBudget;
  budgets: BudgetMetrics;
  sourceOf: SourceOf;
  access: AccessCheck;
  /** Records activity of a network, at most once a minute. */
  noteActivity(networkUid: string): void;
  /** Counts calls that a network gets. */
  countCalls(networkUid: string, count: number): void;
  /** Logs a failing node, at most once a minute per network. Never includes the access key. */
  warn(networkUid: string, message: string, reason: string): void;
}

/** A request whose URL is valid and grants access to the service that it names. */
export interface Admitted {
  networkUid: string;
  /** The namespace of the network's workspace. */
  workspace: string;
  service: string;
  policy: ServicePolicy;
  access: Access;
  /** The name of the key. */
  key: string;
  /** When the key ends by itself. */
  expiresAtMs: number | undefined;
  rest: string;
  /** Whether the service has the host of the URL to itself. */
  isHosted: boolean;
  requestId: string;
  /** Whether the access key of the URL is still valid: it may be replaced while the request waits. */
  isCurrent(): boolean;
}
