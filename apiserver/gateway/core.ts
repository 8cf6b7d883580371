import type { Access } from '../../core/accounts/accessKeys.ts';
import type { GatewayLimits, NetworkShape, RpcGatewayDeps } from './deps.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { ServicePolicy, Services } from './policy/policy.ts';
import type { BodyBudget } from './proxy/body.ts';
import type { Forward } from './proxy/forward.ts';
import type { Readiness } from './wake/readiness.ts';
import type { StrandedTransactions } from './wake/strandedTransactions.ts';

/** What the parts of the gateway share. */
export interface GatewayCore {
  deps: RpcGatewayDeps;
  limits: GatewayLimits;
  servicesOf(network: NetworkShape): Services;
  readiness: Readiness;
  forward: Forward;
  metrics: GatewayMetrics;
  strandedTransactions: Pick<StrandedTransactions, 'noteSent'>;
  budget: BodyBudget;
  /** The access that a key opens on a network, compared in constant time. */
  accessOf(networkUid: string, accessKey: string): Access | undefined;
  /** Notes use of a network, at most once a minute. */
  noteActivity(networkUid: string): void;
  /** A line about a node that fails, at most once a minute for each network. Never names the access key. */
  warn(networkUid: string, message: string, reason: string): void;
}

/** A request whose URL is in order and opens what it names. */
export interface Admitted {
  networkUid: string;
  service: string;
  policy: ServicePolicy;
  access: Access;
  rest: string;
  requestId: string;
}
